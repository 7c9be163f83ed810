// Solving: is there a win that nothing stops? The proof can be looked at answer by
// answer, and its lines be added to the game.
import { el, byId } from './dom.js';
import { t, number } from './i18n.js';

const longest = 120_000; // ms
const other = { black: 'white', white: 'black' };

export class Solving {
  #app;
  #pause; // makes the engine free
  #job = null;
  #solver = '';
  #found = null;
  #from = null; // the node that was solved
  #path = []; // the points of the line that is shown, the attacker's first

  constructor(app, pause) {
    this.#app = app;
    this.#pause = pause;
    byId('solve-add').addEventListener('click', () => app.attempt(() => this.#add()));
  }

  // offer makes a button for each solver that the library has.
  offer(solvers) {
    byId('solve').hidden = !solvers.length;
    byId('solvers').replaceChildren(
      ...solvers.map((name) => el('button', { type: 'button', id: `solve-${name}`, 'data-t': `solve.${name}`, onclick: () => this.#toggle(name) }, t(`solve.${name}`))),
    );
  }

  stop() {
    this.#job?.stop();
    this.#job?.result.catch(() => {});
    this.#job = null;
  }

  clear() {
    this.stop();
    this.#found = null;
    this.#path = [];
    byId('solve-verdict').textContent = '';
    byId('solve-tree').replaceChildren();
  }

  // shown is called when a position is shown: a proof stays while one walks along it.
  shown() {
    if (!this.#from || !this.#app.game.path(this.#app.node).concat(this.#app.game.root).includes(this.#from)) this.clear();
  }

  async #toggle(name) {
    const app = this.#app;
    if (this.#job) {
      this.stop();
      byId('solve-verdict').textContent = '';
      return this.render();
    }
    this.#pause();
    this.clear();
    const { node, view } = app;
    const side = byId('solve-color').value;
    const color = side === 'turn' ? view.turn : side;
    const job = app.engine.job('solve', { record: app.game.to(node), solver: name, color, ms: longest });
    this.#job = job;
    this.#solver = name;
    this.#from = node;
    byId('solve-verdict').textContent = t('solve.running');
    this.render();
    await app.attempt(async () => {
      try {
        const found = await job.result;
        if (this.#job === job) this.#show(found);
      } finally {
        if (this.#job === job) this.#job = null;
        this.render();
      }
    });
  }

  #show(found) {
    this.#found = found;
    const values = { color: t(`Color.${found.color}`), n: number(found.length), nodes: number(found.nodes) };
    byId('solve-verdict').textContent = t(`solve.${found.verdict}`, values);
    if (found.verdict !== 'proven') return;
    byId('solve-proof').open = false;
    byId('solve-tree').replaceChildren(this.#branch(0, []));
    this.#preview(found.line);
  }

  // #branch is a move of the attacker's, with what follows each answer; that is
  // built when it is opened, as proofs are large.
  #branch(i, before, answer = '') {
    const node = this.#found.tree[i];
    const path = [...before, node.move];
    const moves = el('span', {}, answer && `${answer} → `, this.#button(node.move, path));
    const branches = [...node.replies.map((r) => [r.move, r.next]), ...(node.rest ? [['-', node.rest]] : [])];
    if (!branches.length) return el('li', {}, moves);
    const list = el('ul');
    const fill = () => {
      if (list.firstChild) return;
      list.append(...branches.map(([p, next]) => this.#branch(next, [...path, p], p === '-' ? t('solve.rest') : p)));
    };
    if (branches.length === 1) {
      // A single answer needs no opening and shutting.
      const item = el('li', {}, moves, list);
      if (before.length < 60) fill();
      return item;
    }
    return el('li', {}, moves, el('details', { ontoggle: fill }, el('summary', {}, branches.map(([p]) => (p === '-' ? '…' : p)).join(' ')), list));
  }

  #button(point, path) {
    return el(
      'button',
      { type: 'button', 'aria-label': t('solve.show', { point: point.toUpperCase() }), onclick: () => this.#app.attempt(() => this.#preview(path)) },
      point,
    );
  }

  // #preview shows a line of the proof on the board, from the position solved.
  async #preview(path) {
    const app = this.#app;
    if (app.node !== this.#from) await app.go(this.#from);
    this.#path = path;
    app.extras.ghosts = path
      .map((point, i) => ({ point, color: i % 2 ? other[this.#found.color] : this.#found.color, text: i + 1 }))
      .filter((g) => g.point !== '-');
    app.render();
  }

  // #add makes the line that is shown a variation of the game and goes to its end.
  async #add() {
    const app = this.#app;
    let node = this.#from;
    let color = this.#found.color;
    // If the attacker was not on turn, the other side passes first.
    const turn = app.view.turn;
    if (app.node === node && turn !== color) node = app.game.add(node, { move: '-', color: turn });
    for (const move of this.#path) {
      node = app.game.add(node, { move, color });
      color = other[color];
    }
    await app.go(node);
  }

  render() {
    for (const button of byId('solvers').children) {
      const name = button.id.slice('solve-'.length);
      const running = this.#job && this.#solver === name;
      button.textContent = t(running ? 'solve.stop' : `solve.${name}`);
      button.setAttribute('aria-pressed', Boolean(running));
      button.disabled = this.#app.view.over || (this.#job && !running);
    }
    const proven = this.#found?.verdict === 'proven';
    byId('solve-proof').hidden = !proven;
    byId('solve-add').hidden = !proven;
    const line = byId('solve-line');
    line.hidden = !proven;
    if (proven) line.replaceChildren(...this.#path.map((p, i) => this.#button(p === '-' ? '–' : p, this.#path.slice(0, i + 1))));
  }
}
