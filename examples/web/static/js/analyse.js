// Analysis: the engine looks at a position as long as one likes; stones are set up
// freely; lines are tried out and commented.
import { el, byId } from './dom.js';
import { t, number } from './i18n.js';
import { Solving } from './solve.js';
import { scoreText, chance, figures, heat } from './format.js';

const other = { black: 'white', white: 'black' };

export class Analysis {
  #app;
  #job = null;
  #on = false; // it shall run
  #thought = null;
  #tool = 'play';
  #solving;

  constructor(app) {
    this.#app = app;
    this.#solving = new Solving(app, () => this.#pause());
    byId('analyse').addEventListener('click', () => this.toggle());
    byId('lines').value = app.settings.lines;
    byId('lines').addEventListener('change', (e) => {
      app.changeSettings({ lines: Number(e.target.value) });
      if (this.#on) this.#start();
    });
    for (const tool of ['play', 'black', 'white', 'empty']) byId(`tool-${tool}`).addEventListener('click', () => this.#take(tool));
    byId('tool-turn').addEventListener('click', () => app.attempt(() => this.#switchTurn()));
    byId('comment').addEventListener('change', (e) => this.#comment(e.target.value));
    byId('promote').addEventListener('click', () => {
      for (const node of app.game.path(app.node)) app.game.promote(node);
      app.shown();
    });
    byId('remove').addEventListener('click', () => app.attempt(() => app.node.parent && app.go(app.game.remove(app.node))));
  }

  offer(solvers) {
    this.#solving.offer(solvers);
  }

  enter() {
    this.#take('play');
  }

  leave() {
    this.#pause();
    this.#solving.clear();
  }

  opened() {
    this.#take('play');
  }

  plays(p) {
    const { view } = this.#app;
    const free = !view.stones.some((s) => s.point === p);
    return this.#tool === 'play' ? free && !view.over : this.#tool === 'empty' ? !free : true;
  }

  brush() {
    return this.#tool === 'play' ? undefined : this.#tool;
  }

  async click(p) {
    const { view } = this.#app;
    if (this.#tool !== 'play') return this.#setUp(p, this.#tool);
    if (view.stones.some((s) => s.point === p)) return;
    await this.#app.play(p);
  }

  // The engine

  toggle() {
    this.#on = !this.#on;
    if (this.#on) this.#start();
    else this.#stop();
    this.render();
  }

  // #pause lets something else use the engine.
  #pause() {
    this.#on = false;
    this.#stop();
    this.#thought = null;
    this.render();
  }

  #start() {
    const app = this.#app;
    this.#stop();
    this.#thought = null;
    if (app.view.over) return this.#draw();
    const job = app.engine.job('analyze', { record: app.game.to(app.node), lines: app.settings.lines }, (thought) => {
      if (this.#job !== job) return;
      this.#thought = thought;
      this.#draw();
    });
    this.#job = job;
    job.result
      .then((thought) => {
        if (this.#job === job) this.#thought = thought;
      })
      .catch((fault) => {
        if (this.#job !== job || fault.code === 'nolegal') return;
        this.#on = false;
        app.fail(fault);
      })
      .finally(() => {
        if (this.#job !== job) return;
        this.#job = null;
        this.render();
      });
    this.#draw();
  }

  #stop() {
    const job = this.#job;
    this.#job = null;
    job?.stop();
    job?.result.catch(() => {});
  }

  shown() {
    this.#thought = null;
    this.#solving.shown();
    if (this.#on) this.#start();
    else this.#stop();
    this.render();
  }

  // candidates are the moves that the engine judges at present.
  candidates() {
    return (this.#thought?.candidates ?? []).filter((c) => c.bound === 'exact');
  }

  // Setting up

  #take(tool) {
    this.#tool = tool;
    for (const name of ['play', 'black', 'white', 'empty']) byId(`tool-${name}`).setAttribute('aria-pressed', name === tool);
  }

  // #setUpNode returns the node that holds the set-up stones of the position: the
  // present one, or a new one after it if that is a move or has been played on.
  #setUpNode() {
    const { game, node } = this.#app;
    if (!node.color && !node.next.length) return node;
    const fresh = { parent: node, next: [], setup: {} };
    node.next.push(fresh);
    return fresh;
  }

  async #setUp(p, color) {
    const { view } = this.#app;
    const present = view.stones.find((s) => s.point === p)?.color ?? 'empty';
    const wanted = present === color ? 'empty' : color; // the same stone again takes it away
    if (present === wanted) return;
    const node = this.#setUpNode();
    const setup = { ...node.setup };
    const had = Object.keys(setup).some((c) => setup[c]?.includes(p));
    for (const c of ['black', 'white', 'empty']) {
      setup[c] = (setup[c] ?? []).filter((q) => q !== p);
      if (!setup[c].length) delete setup[c];
    }
    const before = node.parent && had === false; // there may be a stone of an earlier node to take away
    if (wanted !== 'empty' || before) setup[wanted] = [...(setup[wanted] ?? []), p];
    node.setup = setup;
    node.turn ??= view.turn;
    await this.#app.edited(node);
  }

  async #switchTurn() {
    const { view } = this.#app;
    const node = this.#setUpNode();
    node.turn = other[view.turn];
    if (!Object.keys(node.setup ?? {}).length) delete node.setup;
    await this.#app.edited(node);
  }

  #comment(text) {
    const { node } = this.#app;
    if (text === this.#app.commentOf(node)) return;
    if (text) node.comment = text;
    else delete node.comment;
    this.#app.save();
    this.#app.render();
  }

  // What is shown

  statusText() {
    return null;
  }

  render() {
    const app = this.#app;
    if (!app.view || app.mode !== 'analyse') return;
    for (const c of ['black', 'white']) {
      const who = app.game.head[c]?.name;
      byId(`player-${c}`).querySelector('.who').textContent = (typeof who === 'string' && who) || t(`seat.${c}`);
      byId(`player-${c}`).querySelector('.clock').hidden = true;
    }
    const button = byId('analyse');
    button.textContent = t(this.#on ? 'analyse.stop' : 'analyse.start');
    button.setAttribute('aria-pressed', this.#on);
    const comment = byId('comment');
    if (document.activeElement !== comment || comment.dataset.node !== String(app.game.indices(app.node))) {
      comment.value = app.commentOf(app.node);
      comment.dataset.node = String(app.game.indices(app.node));
    }
    byId('promote').disabled = app.game.isMain(app.node);
    byId('remove').disabled = !app.node.parent;
    this.#solving.render();
    this.#draw();
  }

  #draw() {
    const { board, view } = this.#app;
    const thought = this.#thought;
    const lines = thought?.lines ?? [];
    const mover = lines[0] ? chance(lines[0].score) : 0.5;
    const black = view.over ? { black: 1, white: 0, empty: 0.5 }[view.winner] : view.turn === 'black' ? mover : 1 - mover;
    byId('meter').firstElementChild.style.width = `${100 * black}%`;
    byId('meter').setAttribute('aria-label', t('meter', { n: number(Math.round(100 * black)) }));
    byId('analysis-figures').textContent = thought ? figures(thought) : '';
    byId('analysis-lines').replaceChildren(...lines.map((line) => this.#line(line)));
    board.heat(thought ? heat(thought).filter((h) => h.text) : []);
  }

  // #line is a row of the analysis: the score and the moves, which can be looked at
  // and played.
  #line(line) {
    const app = this.#app;
    const score = el('span', { class: `score ${chance(line.score) > 0.55 ? 'good' : ''}` }, scoreText(line.score));
    const moves = line.pv.slice(0, 16).map((p, i) =>
      el(
        'button',
        {
          type: 'button',
          'aria-label': t('line.play', { point: p.toUpperCase() }),
          onclick: () => app.attempt(() => this.#playLine(line.pv.slice(0, i + 1))),
          onpointerenter: () => this.#preview(line.pv.slice(0, i + 1)),
          onpointerleave: () => app.board.ghosts([]),
          onfocus: () => this.#preview(line.pv.slice(0, i + 1)),
          onblur: () => app.board.ghosts([]),
        },
        p,
      ),
    );
    return el('li', {}, score, el('div', { class: 'line' }, ...moves));
  }

  #preview(points) {
    const { view, board } = this.#app;
    let color = view.turn;
    board.heat([]);
    board.ghosts(
      points.map((point, i) => {
        const ghost = { point, color, text: i + 1 };
        color = other[color];
        return ghost;
      }),
    );
  }

  async #playLine(points) {
    for (const p of points) if (!(await this.#app.play(p))) return;
  }
}
