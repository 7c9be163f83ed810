// Play: people and the computer move in turns, under a clock if they like.
import { el, byId } from './dom.js';
import { Game, moveNumber } from './game.js';
import { t } from './i18n.js';
import { scoreText, figures, heat } from './format.js';

const other = { black: 'white', white: 'black' };
const leastPause = 250; // ms the computer takes for a move, to be followed by the eye
const hintTime = 1000; // ms

export class Play {
  seats = { black: 'person', white: 'normal' };
  #app;
  #job = null; // the computer's thinking
  #busy = null; // the same, until its move is made
  #hint = null;
  #thought = null; // what it last reported
  #paused = false;
  #swap = null; // of an opening: {phase, first, second}
  #putting = false; // the computer puts the stones of an opening
  #clocks = null; // ms left by colour
  #running = null; // {color, since}
  #seed = 0;

  constructor(app) {
    this.#app = app;
    const on = (id, run) => byId(id).addEventListener('click', () => app.attempt(run));
    on('undo', () => this.undo());
    on('redo', () => this.redo());
    on('hint', () => this.hint());
    on('move-now', () => this.moveNow());
    on('pause', () => this.pause());
    on('resign', () => this.resign());
    byId('heat').addEventListener('change', (e) => {
      app.changeSettings({ heat: e.target.checked });
      this.#drawThought();
    });
    setInterval(() => this.#tick(), 100);
  }

  // begin starts a new game with the settings.
  async begin() {
    const { settings, rules } = this.#app;
    const { record } = await rules.call('new', { size: settings.size, rule: settings.rule });
    if (this.#app.mode === 'analyse') this.#app.modes.analyse.leave();
    this.#stop();
    this.seats = { black: settings.black, white: settings.white };
    this.#seed = 1 + Math.floor(Math.random() * 2 ** 31);
    this.#paused = false;
    this.#thought = null;
    this.#putting = false;
    this.#swap = settings.opening === 'swap2' ? { phase: 'place3', first: settings.black, second: settings.white } : null;
    this.#clocks = settings.clock ? { black: settings.clock * 60_000, white: settings.clock * 60_000 } : null;
    this.#running = null;
    const game = new Game(record);
    game.head.date = new Date().toISOString().slice(0, 10);
    this.#nameSeats(game);
    this.#app.showMode('play');
    await this.#app.open(game, game.root);
    this.#app.say(t('say.game', { text: this.#app.statusText() }));
  }

  // state is what there is to a game beside its record, and restore takes it up.
  state() {
    const clocks = this.#clocks && { black: this.#left('black'), white: this.#left('white') };
    return { seats: this.seats, swap: this.#swap, seed: this.#seed, clocks };
  }

  restore({ seats, swap, seed, clocks }) {
    this.seats = seats;
    this.#swap = swap;
    this.#seed = seed;
    this.#clocks = clocks;
  }

  #nameSeats(game) {
    for (const c of ['black', 'white']) game.head[c] = { name: this.seats[c] === 'person' ? 'Person' : `Computer (${this.seats[c]})` };
  }

  enter() {
    this.#paused = this.#bothComputers();
  }

  leave() {
    this.#stop();
    this.#stopClock();
  }

  opened() {
    this.#stop();
    this.#thought = null;
  }

  #bothComputers() {
    return this.seats.black !== 'person' && this.seats.white !== 'person';
  }

  #computers() {
    return this.seats.black !== 'person' || this.seats.white !== 'person';
  }

  // #mover returns who is to act: person or a level.
  #mover() {
    const { view } = this.#app;
    switch (this.#swap?.phase) {
      case 'place3': case 'choose5': return this.#swap.first;
      case 'choose3': case 'place2': return this.#swap.second;
    }
    return this.seats[view.turn];
  }

  #ended() {
    const { view, game, node } = this.#app;
    return view.over || (node === game.end() && Boolean(game.head.outcome));
  }

  // plays tells whether a click on a point would be a move.
  plays(p) {
    const { view } = this.#app;
    const placing = !this.#swap || this.#swap.phase.startsWith('place');
    return placing && !this.#ended() && this.#mover() === 'person' && !view.stones.some((s) => s.point === p);
  }

  async click(p) {
    const { view, game, node } = this.#app;
    if (this.#swap?.phase.startsWith('choose') || this.#mover() !== 'person') return;
    if (view.stones.some((s) => s.point === p)) return;
    if (this.#ended()) return;
    if (node !== game.end()) this.#clearOutcome();
    this.#hint?.stop();
    await this.#app.play(p, this.#spent());
  }

  // shown is called whenever a position is shown.
  async shown() {
    const { view, game, node } = this.#app;
    this.#stop();
    this.#advanceSwap();
    if (view.over && node === game.end()) this.#setOutcome(view.winner === 'empty' ? 'draw' : view.winner, view.byFoul ? 'foul' : view.line ? 'five' : '');
    this.#startClock();
    this.render();
    if (!this.#ended() && !this.#paused && !this.#putting && this.#mover() !== 'person' && (node === game.end() || this.#swap)) this.#think();
  }

  #setOutcome(outcome, reason) {
    Object.assign(this.#app.game.head, { outcome, reason: reason || undefined });
  }

  #clearOutcome() {
    delete this.#app.game.head.outcome;
    delete this.#app.game.head.reason;
  }

  // The computer

  #limits(seat) {
    const { settings, view } = this.#app;
    let ms = settings.seconds * 1000;
    if (this.#clocks) ms = Math.min(ms, this.#clocks[view.turn] / 15 + settings.increment * 800);
    const limits = { ms: Math.max(20, Math.round(ms)), seed: this.#seed };
    if (seat !== 'master') limits.level = seat;
    return limits;
  }

  async #think() {
    const app = this.#app;
    const began = performance.now();
    const job = app.engine.job(this.#swap ? 'swap2' : 'search', { record: app.game.to(app.node), ...this.#limits(this.#mover()) }, (thought) => {
      if (this.#job !== job) return;
      this.#thought = thought;
      this.#drawThought();
    });
    this.#job = this.#busy = job;
    this.render();
    try {
      const result = await job.result;
      const rest = leastPause - (performance.now() - began);
      if (rest > 0 && this.#job === job) await new Promise((done) => setTimeout(done, rest));
      if (this.#job !== job) return;
      this.#job = null;
      if (this.#swap) await this.#decideSwap(result);
      else {
        this.#thought = result;
        await app.play(result.best, this.#spent());
      }
    } catch (fault) {
      if (this.#job !== job && this.#job !== null) return;
      this.#job = null;
      if (fault.code === 'nolegal') {
        this.#setOutcome('white', 'foul');
        app.render();
      } else if (fault.code !== 'stopped') {
        this.#paused = true;
        app.fail(fault);
        app.render();
      }
    } finally {
      if (this.#busy === job) this.#busy = null;
    }
  }

  #stop() {
    const job = this.#job;
    this.#job = this.#busy = null;
    job?.stop();
    job?.result.catch(() => {});
    this.#hint?.stop();
  }

  moveNow() {
    this.#job?.stop();
  }

  // pause makes the computer wait, or go on where it waits.
  pause() {
    this.#paused = !this.#waits();
    if (this.#paused) {
      this.#stop();
      this.#stopClock();
    } else {
      this.#startClock();
      this.#think();
    }
    this.#app.render();
  }

  // #waits tells whether the computer is on turn but does nothing until it is asked.
  #waits() {
    return !this.#ended() && !this.#busy && !this.#swap && this.#mover() !== 'person';
  }

  async hint() {
    const app = this.#app;
    if (this.#ended() || this.#mover() !== 'person' || this.#swap) return;
    const { node } = app;
    this.#hint?.stop();
    const job = app.engine.job('search', { record: app.game.to(node), ms: hintTime, seed: this.#seed });
    this.#hint = job;
    this.render();
    try {
      const result = await job.result;
      if (app.node !== node || this.#hint !== job) return;
      app.extras.ghosts = [{ point: result.best, color: app.view.turn, mark: 'best' }];
      this.#thought = result;
      this.#drawThought();
      app.board.ghosts(app.extras.ghosts);
      app.board.focus(result.best);
      app.say(t('say.hint', { point: result.best.toUpperCase() }));
    } finally {
      if (this.#hint === job) this.#hint = null;
      this.render();
    }
  }

  // Undo and redo

  // undo goes back to the person's own turn.
  async undo() {
    const { game, node } = this.#app;
    if (this.#swap || !node.parent) return;
    const resigned = game.head.outcome && !this.#app.view.over && node === game.end();
    this.#stop();
    this.#clearOutcome();
    this.#thought = null;
    if (resigned) return this.#app.shown();
    let to = node.parent;
    const own = (n) => this.seats[n.next[0] ? n.next[0].color : 'black'] === 'person';
    if (this.#computers() && !this.#bothComputers()) while (to.parent && !own(to)) to = to.parent;
    if (this.#bothComputers()) this.#paused = true;
    await this.#app.go(to);
    this.#app.say(t('say.undo'));
  }

  async redo() {
    const { node } = this.#app;
    let to = node.next[0];
    if (!to) return;
    while (to.next[0] && this.#computers() && this.seats[to.next[0].color] !== 'person') to = to.next[0];
    await this.#app.go(to);
  }

  async resign() {
    if (this.#ended() || this.#swap) return;
    const { view, game, node } = this.#app;
    const loser = this.#bothComputers() || this.seats[view.turn] === 'person' ? view.turn : other[view.turn];
    this.#stop();
    this.#stopClock();
    if (node !== game.end()) node.next.length = 0;
    this.#setOutcome(other[loser], 'resign');
    this.#app.say(this.#app.outcomeText());
    await this.#app.shown();
  }

  // Swap2

  #advanceSwap() {
    const swap = this.#swap;
    if (!swap) return;
    const stones = moveNumber(this.#app.node);
    if (swap.phase === 'place3' && stones >= 3) swap.phase = 'choose3';
    if (swap.phase === 'place2' && stones >= 5) swap.phase = 'choose5';
  }

  // choose carries a choice out: black, white or two.
  async choose(choice) {
    const swap = this.#swap;
    const byFirst = swap.phase === 'choose5';
    const player = t(byFirst ? 'swap.first' : 'swap.second');
    this.#app.say(t(`swap.chose.${choice}`, { player }));
    if (choice === 'two') {
      swap.phase = 'place2';
    } else {
      const [chooser, rest] = byFirst ? [swap.first, swap.second] : [swap.second, swap.first];
      this.seats = { [choice]: chooser, [other[choice]]: rest };
      this.#app.game.head.opening = `swap2:${choice}@${moveNumber(this.#app.node)}`;
      this.#nameSeats(this.#app.game);
      this.#swap = null;
      this.#app.toast(t(`swap.chose.${choice}`, { player }));
    }
    await this.#app.shown();
  }

  async #decideSwap({ swap, points }) {
    const { phase } = this.#swap;
    if (swap) return this.choose('black');
    if (phase.startsWith('choose') && points.length !== 2) return this.choose('white');
    if (phase === 'choose3') {
      this.#app.toast(t('swap.chose.two', { player: t('swap.second') }));
      this.#swap.phase = 'place2';
    }
    this.#putting = true; // all stones at once
    for (const p of points) await this.#app.play(p);
    this.#putting = false;
    await this.#app.shown();
  }

  // Clocks

  #startClock() {
    const { view, node, game } = this.#app;
    const color = view.turn;
    if (!this.#clocks || this.#ended() || this.#swap || this.#paused || node !== game.end()) return this.#stopClock();
    if (this.#running?.color === color) return;
    this.#stopClock();
    this.#running = { color, since: performance.now() };
  }

  #stopClock() {
    if (!this.#running) return;
    const { color } = this.#running;
    this.#clocks[color] = this.#left(color);
    this.#running = null;
  }

  // #spent ends the mover's turn on the clock; it returns the time for the record.
  #spent() {
    if (!this.#running) return {};
    const { color, since } = this.#running;
    this.#stopClock();
    this.#clocks[color] += this.#app.settings.increment * 1000;
    return { ms: Math.round(performance.now() - since) };
  }

  #left(color) {
    const { since, color: running } = this.#running ?? {};
    return Math.max(0, this.#clocks[color] - (running === color ? performance.now() - since : 0));
  }

  #tick() {
    if (!this.#clocks || !this.#running) return;
    this.#renderClocks();
    const { color } = this.#running;
    if (this.#left(color) > 0) return;
    this.#stop();
    this.#stopClock();
    this.#setOutcome(other[color], 'time');
    this.#app.say(this.#app.outcomeText());
    this.#app.render();
  }

  // What is shown

  statusText() {
    const { view, game, node } = this.#app;
    const color = t(`Color.${view.turn}`);
    const ended = this.#app.outcomeText();
    if (ended) {
      const winner = view.winner !== 'empty' ? view.winner : game.head.outcome;
      const people = ['black', 'white'].filter((c) => this.seats[c] === 'person');
      if (view.line && people.length === 1) return t(winner === people[0] ? 'status.won.you' : 'status.lost.you');
      return ended;
    }
    if (this.#swap) {
      const first = ['place3', 'choose5'].includes(this.#swap.phase);
      return t(`swap.${this.#swap.phase}`, { player: t(first ? 'swap.first' : 'swap.second') });
    }
    if (this.#job) return t('status.thinks', { color });
    if (this.#paused && this.seats[view.turn] !== 'person') return t('status.paused', { color });
    if (node !== game.end()) return t('status.look', { n: moveNumber(node) });
    if (this.#computers() && this.seats[view.turn] === 'person') return t('status.your');
    return t('status.turn', { color });
  }

  render() {
    const { view, game, node, settings } = this.#app;
    if (!view || this.#app.mode !== 'play') return;
    byId('status-text').textContent = this.#app.statusText();
    this.renderSeats();
    const ended = this.#ended();
    const person = this.#mover() === 'person';
    const set = (id, on) => (byId(id).disabled = !on);
    set('undo', node.parent && !this.#swap);
    set('redo', node.next.length && !this.#swap);
    set('hint', !ended && person && !this.#swap && !this.#hint);
    set('resign', !ended && !this.#swap);
    set('move-now', this.#job);
    const waits = this.#waits();
    byId('pause').hidden = !this.#bothComputers() && !waits;
    byId('pause').textContent = t(waits ? 'go' : 'pause');
    set('pause', !ended && !this.#swap);
    byId('thinking').hidden = !settings.thinking || !this.#computers();
    byId('heat').checked = settings.heat;
    this.#renderChoice();
    this.#drawThought();
  }

  renderSeats() {
    for (const c of ['black', 'white']) {
      byId(`player-${c}`).querySelector('.who').textContent =
        this.#bothPeople() ? t(`seat.${c}`) : t(`seat.${this.seats[c]}`);
    }
    this.#renderClocks();
  }

  #bothPeople() {
    return this.seats.black === 'person' && this.seats.white === 'person';
  }

  #renderClocks() {
    for (const c of ['black', 'white']) {
      const clock = byId(`player-${c}`).querySelector('.clock');
      clock.hidden = !this.#clocks;
      if (!this.#clocks) continue;
      const left = this.#left(c);
      const seconds = left < 10_000 ? (left / 1000).toFixed(1) : Math.ceil(left / 1000);
      clock.textContent = left < 10_000 ? seconds : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      clock.classList.toggle('low', left < 20_000);
    }
  }

  #renderChoice() {
    const box = byId('choice');
    const { phase } = this.#swap ?? {};
    box.hidden = !phase?.startsWith('choose') || this.#mover() !== 'person';
    if (box.hidden) return;
    const choices = phase === 'choose3' ? ['black', 'white', 'two'] : ['black', 'white'];
    if (box.dataset.phase === phase && box.firstChild) return;
    box.dataset.phase = phase;
    box.replaceChildren(
      el('div', {}, ...choices.map((c) => el('button', { type: 'button', 'data-choice': c, onclick: () => this.#app.attempt(() => this.choose(c)) }, t(`swap.${c}`)))),
    );
  }

  // #drawThought shows what the computer thinks, unless that is hidden.
  #drawThought() {
    const { settings, board, view } = this.#app;
    const thought = settings.thinking ? this.#thought : null;
    byId('thinking-figures').textContent = thought ? `${scoreText(thought.lines[0]?.score ?? { value: 0 })} · ${figures(thought)}` : '';
    byId('thinking-line').textContent = thought?.lines[0]?.pv.join(' ') ?? '';
    if (!view) return;
    const occupied = new Set(view.stones.map((s) => s.point));
    const now = this.#job || this.#hint || this.#app.extras.ghosts;
    board.heat(thought && settings.heat && now ? heat(thought).filter((h) => !occupied.has(h.point)) : []);
  }
}
