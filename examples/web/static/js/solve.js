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
    byId('solve-tree').replaceChildren(this.#branch(0, [], ''));
    this.#preview(found.line);
  }

  // #branch is a line of the proof up to where the answers differ; what follows each
  // of them is built when it is opened, as proofs are large.
  #branch(i, before, answer) {
    const { tree } = this.#found;
    const run = el('span', {});
    if (answer) run.append(this.#button(answer, before), ' → ');
    const item = el('li', {}, run);
    for (;;) {
      const node = tree[i];
      const path = [...before, node.move];
      run.append(this.#button(node.move, path));
      const rest = node.rest ? tree[node.rest] : null;
      // Any other answer loses at once; most often to a five where the answer stands.
      const ends = rest && !rest.replies.length && !rest.rest;
      if (ends && node.replies[0]?.move !== rest.move) run.append(el('small', {}, '(… ', this.#button(rest.move, [...path, '-', rest.move]), ')'));
      const branches = node.replies.map((r) => [r.move, r.next]);
      if (rest && !ends) branches.push(['-', node.rest]);
      if (!branches.length) return item;
      if (branches.length > 1) {
        const list = el('ul');
        const fill = () => list.firstChild || list.append(...branches.map(([p, next]) => this.#branch(next, [...path, p], p)));
        const names = branches.map(([p]) => (p === '-' ? t('solve.rest') : p)).join(', ');
        item.append(el('details', { ontoggle: fill }, el('summary', {}, names), list));
        return item;
      }
      const [[p, next]] = branches;
      before = [...path, p];
      if (p !== '-') run.append(this.#button(p, before));
      i = next;
    }
  }

  #button(point, path) {
    return el(
      'button',
      { type: 'button', 'aria-label': t('solve.show', { point: point.toUpperCase() }), onclick: () => this.#app.attempt(() => this.#preview(path)) },
      point === '-' ? t('solve.rest') : point,
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
    if (proven) line.replaceChildren(...this.#path.map((p, i) => this.#button(p, this.#path.slice(0, i + 1))));
  }
}
