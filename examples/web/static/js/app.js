// What play and analysis share: the game, the place in it, the board, messages.
import { Board } from './board.js';
import { el, byId } from './dom.js';
import { Game, moveNumber, textOf } from './game.js';
import { t, has } from './i18n.js';
import { read, remember, saveSettings } from './settings.js';
import { click, fanfare } from './sound.js';

const storedGame = 'gomoku.game';

export class App {
  mode = 'play';
  modes = {}; // name -> Play or Analysis
  rules; // the service for quick answers
  engine; // the one that thinks
  game;
  node; // the place in the game
  view; // what the library says of the position there
  extras = {}; // what the mode draws: ghosts, heat
  #views = new WeakMap();
  #turn = 0;
  #hash = '';
  #saving;

  constructor(settings) {
    this.settings = settings;
    this.board = new Board(byId('board'), {
      onplay: (p, pointer) => this.#clicked(p, pointer),
      onhover: (p) => this.#hovered(p),
    });
    this.board.resize(settings.size, settings.coordinates);
  }

  // ready is called when the library can be asked.
  async ready(rules, engine) {
    this.rules = rules;
    this.engine = engine;
    const greeting = rules.call('hello'); // asked first, so answered first
    await this.#restore();
    this.modes.analyse.offer((await greeting).solvers);
    addEventListener('hashchange', () => location.hash !== this.#hash && this.#openLink());
  }

  // The game

  // open shows a game at a node, its end unless told otherwise.
  async open(game, node = game.end()) {
    await this.#load(game, node);
    this.modes[this.mode].opened?.();
    await this.shown();
  }

  // #load fetches the view first: on an error everything stays.
  async #load(game, node) {
    const view = await this.rules.call('position', { record: game.to(node) });
    this.#turn++;
    this.game = game;
    this.#views = new WeakMap([[node, view]]);
    this.node = node;
    this.view = view;
    this.extras = {};
  }

  // go shows another node of the game.
  async go(node) {
    if (!node || node === this.node) return;
    const turn = ++this.#turn;
    const game = this.game;
    const view = this.#views.get(node) ?? (await this.rules.call('position', { record: game.to(node) }));
    if (turn !== this.#turn || game !== this.game) return; // something else has been shown since
    this.#views.set(node, view);
    this.node = node;
    this.view = view;
    this.extras = {};
    await this.shown();
    this.say(t('say.position', { n: moveNumber(node), text: this.statusText() }));
  }

  // edited shows the present node again, whose stones have changed.
  async edited(node) {
    this.#views = new WeakMap();
    this.node = null;
    await this.go(node);
  }

  // play makes a move at the present node. It tells whether it did: not if the
  // position has changed meanwhile.
  async play(p, extra = {}) {
    const { node, game } = this;
    this.#drawAhead(p);
    let answer;
    try {
      answer = await this.rules.call('play', { record: game.to(node), point: p });
    } catch (fault) {
      this.render();
      throw fault;
    }
    const { color, view } = answer;
    if (node !== this.node || game !== this.game) return false;
    this.#turn++;
    const next = game.add(node, { move: p, color, ...extra }, this.mode === 'play');
    this.#views.set(next, view);
    this.node = next;
    this.view = view;
    this.extras = {};
    if (this.settings.sound) view.winner === 'empty' ? click() : fanfare();
    let text = t('say.move', { color: t(`Color.${color}`), point: p.toUpperCase() });
    if (view.over) text += ` ${this.statusText()}.`;
    this.say(text);
    await this.shown();
    return true;
  }

  // #drawAhead draws a stone before the library has answered, if what it said of the
  // position leaves no doubt about the answer.
  #drawAhead(p) {
    const { view } = this;
    const refused = view.over || view.stones.some((s) => s.point === p) || (view.turn === 'black' && view.fouls.some((f) => f.point === p));
    if (!refused) this.board.place(p, view.turn);
  }

  async shown() {
    this.render();
    this.#publish();
    await this.modes[this.mode].shown?.();
  }

  // The board

  render() {
    const { settings, view } = this;
    if (!view) return;
    const charset = this.game.head.charset;
    const labels = (this.node.labels ?? []).map((l) => ({ point: l.point, text: textOf(l.text, charset) }));
    this.board.render(view, { ...settings, heat: [], ghosts: [], labels, ...this.extras });
    this.board.hover(null);
    this.board.label(t('board.label', { size: view.size, rule: t(`rule.${view.rule}`) }));
    this.#renderStatus();
    this.#renderWalk();
    this.#renderMoves();
    this.#renderNotes();
    this.modes[this.mode].render?.();
  }

  #clicked(p, pointer) {
    if (!this.view) return;
    if (this.#asksTwice(pointer) && this.pending !== p && this.modes[this.mode].plays(p)) {
      this.pending = p;
      this.board.ghosts([{ point: p, color: this.view.turn, mark: 'pending' }]);
      this.say(t('confirm.again', { point: p.toUpperCase() }));
      return;
    }
    this.pending = null;
    this.attempt(() => this.modes[this.mode].click(p));
  }

  #asksTwice(pointer) {
    if (pointer !== 'touch') return false;
    const { confirm } = this.settings;
    if (confirm !== 'auto') return confirm === 'always';
    return byId('board').clientWidth / this.view.size < 32;
  }

  #hovered(p) {
    if (!this.view || !p || !this.modes[this.mode].plays(p)) return this.board.hover(null);
    const foul = this.view.turn === 'black' && this.view.fouls.find((f) => f.point === p);
    if (foul) this.board.hover(null, null, foul.stones);
    else this.board.hover(p, this.modes[this.mode].brush?.() ?? this.view.turn);
  }

  // Texts around the board

  statusText() {
    const { view } = this;
    if (!view) return t('status.loading');
    return this.modes[this.mode].statusText?.() ?? this.outcomeText() ?? t('status.turn', { color: t(`Color.${view.turn}`) });
  }

  // outcomeText says how the game ended, if it has.
  outcomeText() {
    const { view, game, node } = this;
    const color = (c) => t(`Color.${c}`);
    if (view.byFoul && view.byFoul !== 'none') return t('status.foul', { color: color(view.winner), foul: t(`foul.${view.byFoul}`) });
    if (view.winner !== 'empty') return t('status.won', { color: color(view.winner) });
    if (view.over) return t('status.draw');
    if (node === game.end() && ['resign', 'time'].includes(game.head.reason)) {
      return t(game.head.reason === 'time' ? 'status.time' : 'status.resigned', { color: color(game.head.outcome) });
    }
    return null;
  }

  #renderStatus() {
    byId('status-text').textContent = this.statusText();
    const { view } = this;
    const color = view.winner !== 'empty' ? view.winner : view.over ? '' : view.turn;
    byId('status-disc').className = `disc ${color}`;
    byId('status-disc').hidden = !color;
    for (const c of ['black', 'white']) byId(`player-${c}`).classList.toggle('turn', !view.over && view.turn === c);
    document.title = `${byId('status-text').textContent} – ${t('title')}`;
  }

  #renderWalk() {
    const total = this.game.main(this.node).filter((n) => n.color).length;
    byId('walk-at').textContent = `${moveNumber(this.node)} / ${total}`;
    byId('walk-at').setAttribute('aria-label', t('walk.at', { n: moveNumber(this.node), total }));
    const set = (id, on) => (byId(id).disabled = !on);
    set('walk-first', this.node.parent);
    set('walk-back', this.node.parent);
    set('walk-on', this.node.next.length);
    set('walk-last', this.node.next.length);
  }

  walk(where) {
    const { game, node } = this;
    const to = { first: game.root, back: node.parent, on: node.next[0], last: game.end(node) }[where];
    return this.go(to);
  }

  // #renderMoves lists the moves: the main line as text, variations indented.
  #renderMoves() {
    const root = byId('moves');
    const path = new Set(this.game.path(this.node));
    const current = this.node;
    let marked = null;
    const token = (node, n) => {
      const label = node.color ? (node.move === '-' ? '–' : node.move) : '✻';
      const button = el('button', {
        type: 'button',
        textContent: label,
        class: node.comment ? 'has-comment' : '',
        'aria-current': node === current && 'step',
        'aria-label': node.color ? `${n}, ${t(`color.${node.color}`)} ${label.toUpperCase()}` : t('setup'),
        onclick: () => this.attempt(() => this.go(node)),
      });
      if (!path.has(node) && path.size) button.classList.add('later');
      if (node === current) marked = button;
      return button;
    };
    const line = (into, node, n, fresh) => {
      for (; node; node = node.next[0]) {
        if (node.color) n++;
        if (node.color && (fresh || n % 2)) into.append(el('span', { class: 'number-of', 'aria-hidden': 'true' }, n % 2 ? `${n}.` : `${n - 1}…`));
        into.append(token(node, n));
        fresh = false;
        const { next } = node.parent;
        if (next[0] === node && next.length > 1) {
          for (const other of next.slice(1)) {
            const branch = el('div', { class: 'branch' });
            line(branch, other, node.color ? n - 1 : n, true);
            into.append(branch);
          }
          fresh = true;
        }
      }
    };
    const list = document.createDocumentFragment();
    line(list, this.game.root.next[0], 0, true);
    root.replaceChildren(list);
    if (marked) {
      const top = marked.offsetTop - root.offsetTop;
      if (top < root.scrollTop || top > root.scrollTop + root.clientHeight - 30) root.scrollTop = top - root.clientHeight / 2;
    }
  }

  #renderNotes() {
    const { view, settings } = this;
    const notes = byId('notes');
    const list = [];
    const points = (ps) => ps.map((p) => p.toUpperCase()).join(' ');
    if (settings.threats) {
      for (const threat of [...view.threats].reverse()) {
        const values = { color: t(`Color.${threat.color}`), kind: t(`threat.${threat.kind}`), stones: points(threat.stones), points: points(threat.completing) };
        list.push(el('p', {}, t('notes.threat', values)));
      }
    }
    if (settings.fouls && view.fouls.length) {
      const fouls = view.fouls.map((f) => `${f.point.toUpperCase()} (${t(`foul.${f.foul}`)})`).join(', ');
      list.push(el('p', {}, t('notes.foul', { points: fouls })));
    }
    if (settings.threats && !list.length) list.push(el('p', {}, t('notes.none')));
    notes.replaceChildren(...list);
    notes.hidden = !list.length;
  }

  // Messages

  // say tells a screen reader.
  say(text) {
    const say = byId('say');
    say.textContent = say.textContent === text ? `${text} ` : text; // the same words again are said again
  }

  // toast shows a message for a while, with a button to do something about it.
  toast(text, { error = false, detail = '', action } = {}) {
    const toast = el('div', { class: `toast ${error ? 'error' : ''}` }, el('div', {}, text, detail && el('small', {}, detail)));
    const close = () => toast.remove();
    if (action) toast.append(el('button', { type: 'button', onclick: () => (close(), action.run()) }, action.text));
    toast.append(el('button', { type: 'button', 'aria-label': t('dismiss'), onclick: close }, '✕'));
    byId('toasts').replaceChildren(...[...byId('toasts').children].slice(-2), toast);
    if (!action) setTimeout(close, error ? 10_000 : 4_000);
  }

  // fail shows why something did not work.
  fail(fault, lead) {
    if (fault.code === 'stopped') return;
    const point = fault.point?.toUpperCase() ?? '';
    if (fault.code === 'foul') {
      this.toast(t('foul.refused', { point, reason: t(`foul.text.${fault.foul}`) }), { error: true });
      const stones = this.view.fouls.find((f) => f.point === fault.point)?.stones ?? [];
      this.board.hover(null, null, stones);
      return;
    }
    const key = has(`error.${fault.code}`) ? `error.${fault.code}` : 'error.other';
    const text = t(key, { point });
    const detail = ['parse', 'other', 'panic', 'format', 'large'].includes(fault.code) || !fault.code ? fault.message.split('\n')[0] : '';
    if (lead) this.toast(lead, { error: true, detail: detail || text });
    else this.toast(text, { error: true, detail });
  }

  // attempt does something and shows what goes wrong.
  async attempt(run, lead) {
    try {
      return await run();
    } catch (fault) {
      if (!fault.code) console.warn(fault);
      this.fail(fault, lead);
    }
  }

  // Settings, modes, what stays

  changeSettings(changes) {
    Object.assign(this.settings, changes);
    saveSettings(this.settings);
    this.render();
  }

  setMode(mode) {
    if (mode === this.mode) return;
    this.modes[this.mode].leave();
    this.showMode(mode);
    this.modes[mode].enter();
    this.extras = {};
    return this.shown();
  }

  showMode(mode) {
    this.mode = mode;
    for (const m of ['play', 'analyse']) {
      byId(`panel-${m}`).hidden = m !== mode;
      byId(`mode-${m}`).setAttribute('aria-pressed', m === mode);
    }
  }

  // #publish puts the position into the address and the game into the storage.
  #publish() {
    const hash = `#${this.view.text.replaceAll(' ', '/')}`;
    if (location.hash !== hash) history.replaceState(null, '', hash);
    this.#hash = location.hash;
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.save(), 200);
  }

  save() {
    if (!this.game) return;
    remember(storedGame, {
      record: this.game,
      at: this.game.indices(this.node),
      text: this.view.text,
      mode: this.mode,
      play: this.modes.play.state(),
    });
  }

  // #restore opens what the address says, or what was there before, or a new game.
  async #restore() {
    const stored = read(storedGame);
    const wanted = linkText();
    if (stored && (!wanted || stored.text === wanted)) {
      try {
        const game = new Game(stored.record);
        await this.#load(game, game.at(stored.at));
        this.modes.play.restore(stored.play);
        this.showMode(stored.mode === 'analyse' ? 'analyse' : 'play');
        this.modes[this.mode].enter();
        return this.shown();
      } catch (fault) {
        console.info('the stored game can’t be opened', fault);
      }
    }
    if (wanted && (await this.#openLink())) return;
    await this.modes.play.begin();
  }

  async #openLink() {
    const text = linkText();
    if (text === null) return this.#publish();
    const { settings } = this;
    return this.attempt(async () => {
      try {
        const { record } = await this.rules.call('new', { text: text || `${settings.size} ${settings.rule}` });
        const game = new Game(record);
        await this.#load(game, game.end());
        if (this.mode !== 'analyse') this.modes.play.leave();
        this.showMode('analyse');
        this.modes.analyse.enter();
        await this.shown();
        return true;
      } catch (fault) {
        if (this.view) this.#publish(); // the address of what is shown
        throw fault;
      }
    }, t('error.link'));
  }

  commentOf(node) {
    return textOf(node.comment, this.game.head.charset);
  }
}

// linkText returns the position that the address names; null if it names none.
function linkText() {
  if (location.hash.length < 2) return null;
  try {
    return decodeURIComponent(location.hash.slice(1)).replaceAll('/', ' ');
  } catch {
    return location.hash;
  }
}
