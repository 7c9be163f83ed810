// The board: a picture, and above it a grid of cells to click, touch and walk
// through with the arrow keys, which is also what a screen reader reads.
import { el, svg } from './dom.js';
import { t } from './i18n.js';

const cell = 40; // units between two lines
const margin = 46;

const letters = 'abcdefghijklmnopqrstuv';

// point and place turn coordinates into text, such as h8, and back.
export const point = (x, y) => letters[x] + (y + 1);
export const place = (p) => [letters.indexOf(p[0]), Number(p.slice(1)) - 1];

// stars returns where a board has dots.
function stars(size) {
  const middle = (size - 1) / 2;
  if (size < 9) return size % 2 ? [[middle, middle]] : [];
  const edge = size >= 13 ? 3 : 2;
  const list = [];
  for (const x of [edge, size - 1 - edge]) for (const y of [edge, size - 1 - edge]) list.push([x, y]);
  if (size % 2) {
    list.push([middle, middle]);
    if (size >= 17) list.push([edge, middle], [size - 1 - edge, middle], [middle, edge], [middle, size - 1 - edge]);
  }
  return list;
}

export class Board {
  #root;
  #svg;
  #layers = {};
  #grid;
  #cells = new Map(); // point -> cell
  #stones = new Map(); // point -> {color, group}
  #size = 0;
  #coordinates = true;
  #cursor = null;

  // onplay gets the point and the kind of pointer: mouse, touch, pen or keyboard;
  // onhover a point or null.
  constructor(root, { onplay, onhover }) {
    this.#root = root;
    this.onplay = onplay;
    this.onhover = onhover;
    this.#svg = svg('svg', { 'aria-hidden': 'true', focusable: 'false', class: 'board-picture' });
    this.#grid = el('div', { role: 'grid', class: 'board-grid' });
    root.replaceChildren(this.#svg, this.#grid);
    let pointer = 'mouse';
    this.#grid.addEventListener('pointerdown', (e) => (pointer = e.pointerType));
    this.#grid.addEventListener('click', (e) => {
      const p = e.target.dataset?.point;
      if (!p) return;
      this.focus(p);
      this.onplay(p, e.detail === 0 ? 'keyboard' : pointer);
    });
    this.#grid.addEventListener('pointerover', (e) => e.pointerType === 'mouse' && this.onhover(e.target.dataset?.point ?? null));
    this.#grid.addEventListener('pointerleave', () => this.onhover(null));
    this.#grid.addEventListener('keydown', (e) => this.#key(e));
    this.#grid.addEventListener('focusin', (e) => e.target.dataset?.point && this.#moveCursor(e.target.dataset.point));
  }

  get size() {
    return this.#size;
  }

  x(p) {
    return margin + place(p)[0] * cell;
  }

  y(p) {
    return margin + (this.#size - 1 - place(p)[1]) * cell;
  }

  // resize draws an empty board.
  resize(size, coordinates) {
    if (size === this.#size && coordinates === this.#coordinates) return;
    const keep = size === this.#size;
    this.#size = size;
    this.#coordinates = coordinates;
    this.#stones.clear();
    const span = (size - 1) * cell;
    const full = span + 2 * margin;
    this.#svg.setAttribute('viewBox', `0 0 ${full} ${full}`);
    const lines = svg('g', { class: 'lines' });
    for (let i = 0; i < size; i++) {
      const at = margin + i * cell;
      const edge = i === 0 || i === size - 1 ? 'edge' : '';
      lines.append(
        svg('line', { x1: margin, x2: margin + span, y1: at, y2: at, class: edge }),
        svg('line', { y1: margin, y2: margin + span, x1: at, x2: at, class: edge }),
      );
    }
    for (const [x, y] of stars(size)) lines.append(svg('circle', { cx: margin + x * cell, cy: margin + y * cell, r: 4.2, class: 'star' }));
    const names = svg('g', { class: 'coordinates' });
    if (coordinates) {
      for (let i = 0; i < size; i++) {
        const x = svg('text', { x: margin + i * cell, y: full - 12 });
        x.textContent = letters[i].toUpperCase();
        const y = svg('text', { x: 17, y: margin + (size - 1 - i) * cell + 5 });
        y.textContent = i + 1;
        names.append(x, y);
      }
    }
    this.#svg.replaceChildren(definitions(), svg('rect', { width: full, height: full, rx: 10, class: 'wood' }), lines, names);
    for (const name of ['threats', 'heat', 'win', 'stones', 'marks', 'ghosts', 'hover']) {
      this.#layers[name] = svg('g', { class: name });
      this.#svg.append(this.#layers[name]);
    }
    if (!keep) this.#makeGrid();
    const share = (v) => `${(100 * v) / full}%`;
    Object.assign(this.#grid.style, {
      inset: share(margin - cell / 2),
    });
  }

  #makeGrid() {
    const size = this.#size;
    this.#cells.clear();
    this.#grid.replaceChildren();
    this.#grid.style.setProperty('--size', size);
    this.#grid.setAttribute('aria-rowcount', size);
    this.#grid.setAttribute('aria-colcount', size);
    for (let y = size - 1; y >= 0; y--) {
      const row = el('div', { role: 'row', class: 'board-row', 'aria-rowindex': String(size - y) });
      for (let x = 0; x < size; x++) {
        const p = point(x, y);
        const c = el('div', { role: 'gridcell', class: 'board-cell', tabIndex: -1, 'data-point': p, 'aria-colindex': String(x + 1) });
        this.#cells.set(p, c);
        row.append(c);
      }
      this.#grid.append(row);
    }
    const middle = Math.floor((size - 1) / 2);
    this.#cursor = null;
    this.#moveCursor(point(middle, middle));
  }

  #moveCursor(p) {
    if (this.#cursor) this.#cells.get(this.#cursor).tabIndex = -1;
    this.#cursor = p;
    this.#cells.get(p).tabIndex = 0;
  }

  focus(p = this.#cursor) {
    this.#cells.get(p)?.focus({ preventScroll: true });
  }

  #key(e) {
    const p = e.target.dataset?.point;
    if (!p || e.ctrlKey || e.metaKey || e.altKey) return;
    let [x, y] = place(p);
    const last = this.#size - 1;
    switch (e.key) {
      case 'ArrowLeft': x--; break;
      case 'ArrowRight': x++; break;
      case 'ArrowUp': y++; break;
      case 'ArrowDown': y--; break;
      case 'Home': x = 0; break;
      case 'End': x = last; break;
      case 'Enter':
      case ' ':
        e.preventDefault();
        this.onplay(p, 'keyboard');
        return;
      default:
        return;
    }
    e.preventDefault();
    const clamp = (v) => Math.min(Math.max(v, 0), last);
    this.focus(point(clamp(x), clamp(y)));
  }

  // label names the board for a screen reader.
  label(text) {
    this.#grid.setAttribute('aria-label', text);
  }

  // render shows a view of the library, with options: numbers, threats, fouls,
  // and what to draw: labels, ghosts, heat.
  render(view, options) {
    this.resize(view.size, options.coordinates);
    this.#renderStones(view, options);
    this.#renderMarks(view, options);
    this.#renderThreats(view, options);
    this.#label(view);
    this.heat(options.heat);
    this.ghosts(options.ghosts);
  }

  #renderStones(view, options) {
    const wanted = new Map(view.stones.map((s) => [s.point, s]));
    for (const [p, stone] of this.#stones) {
      if (wanted.get(p)?.color !== stone.color) {
        stone.group.remove();
        this.#stones.delete(p);
      }
    }
    const winning = new Set(view.line ?? []);
    for (const s of view.stones) {
      const group = this.place(s.point, s.color);
      group.classList.toggle('won', winning.has(s.point));
      group.style.setProperty('--order', (view.line ?? []).indexOf(s.point));
      group.lastChild.textContent = options.numbers && s.number ? s.number : '';
      group.classList.toggle('long', s.number > 99);
    }
  }

  // place draws a stone, if it is not there, and returns it.
  place(p, color) {
    if (this.#stones.has(p)) return this.#stones.get(p).group;
    const group = svg('g', { class: `stone ${color}`, transform: `translate(${this.x(p)} ${this.y(p)})` });
    group.append(
      svg('g', { class: 'drop' }, svg('circle', { r: 17.4, cx: 1.2, cy: 2.4, class: 'shadow' }), svg('circle', { r: 17.4, class: 'body' })),
      svg('text', { y: 5, class: 'number' }),
    );
    this.#layers.stones.append(group);
    this.#stones.set(p, { color, group });
    return group;
  }

  #renderMarks(view, options) {
    const marks = [];
    if (!view.line) {
      this.#layers.win.replaceChildren();
    } else if (!this.#layers.win.firstChild) {
      const [a, b] = [view.line[0], view.line.at(-1)];
      this.#layers.win.append(svg('line', { x1: this.x(a), y1: this.y(a), x2: this.x(b), y2: this.y(b), class: 'win-line', pathLength: 1 }));
    }
    if (view.last !== '-' && !view.line) {
      const color = view.stones.find((s) => s.point === view.last)?.color;
      const at = { cx: this.x(view.last), cy: this.y(view.last) };
      marks.push(options.numbers ? svg('circle', { ...at, r: 19.5, class: 'last-ring' }) : svg('circle', { ...at, r: 5.5, class: `last ${color}` }));
    }
    if (options.fouls) {
      for (const f of view.fouls) {
        const [x, y] = [this.x(f.point), this.y(f.point)];
        marks.push(svg('path', { d: `M${x - 7} ${y - 7}l14 14m0-14l-14 14`, class: 'foul' }));
      }
    }
    this.#layers.marks.replaceChildren(...marks, ...this.#labels(view, options.labels));
  }

  // #labels returns the texts that a record puts on points.
  #labels(view, labels) {
    const stones = new Map(view.stones.map((s) => [s.point, s.color]));
    return labels.map((l) => {
      const label = svg('text', { x: this.x(l.point), y: this.y(l.point) + 5, class: `label ${stones.get(l.point) ?? 'free'}` });
      label.textContent = l.text;
      return label;
    });
  }

  #renderThreats(view, options) {
    const marks = [];
    if (options.threats) {
      for (const threat of view.threats) {
        const strong = /four/.test(threat.kind) ? 'four' : 'three';
        const [a, b] = [threat.stones[0], threat.stones.at(-1)];
        marks.push(svg('line', { x1: this.x(a), y1: this.y(a), x2: this.x(b), y2: this.y(b), class: `threat ${strong}` }));
        for (const p of threat.completing) {
          marks.push(svg('circle', { cx: this.x(p), cy: this.y(p), r: 8, class: `completing ${strong}` }));
        }
      }
    }
    this.#layers.threats.replaceChildren(...marks);
  }

  // heat shows candidates: {point, warmth 0 to 1, text}.
  heat(list = []) {
    const marks = (list ?? []).map(({ point: p, warmth, text }) => {
      const group = svg('g', { transform: `translate(${this.x(p)} ${this.y(p)})`, class: 'warm' });
      group.style.setProperty('--warmth', warmth.toFixed(3));
      const label = svg('text', { y: 4 });
      label.textContent = text ?? '';
      group.append(svg('circle', { r: 15.5 }), label);
      return group;
    });
    this.#layers.heat.replaceChildren(...marks);
  }

  // ghosts shows stones that are not there: {point, color, text}.
  ghosts(list = []) {
    const marks = (list ?? []).map(({ point: p, color, text, mark }) => {
      const group = svg('g', { transform: `translate(${this.x(p)} ${this.y(p)})`, class: `ghost ${color} ${mark ?? ''}` });
      const label = svg('text', { y: 5, class: 'number' });
      label.textContent = text ?? '';
      group.append(svg('circle', { r: 16.4, class: 'body' }), label);
      return group;
    });
    this.#layers.ghosts.replaceChildren(...marks);
  }

  // hover shows where a stone would go, or the stones behind a foul.
  hover(p, color, stones = []) {
    const marks = [];
    if (p) marks.push(svg('circle', { cx: this.x(p), cy: this.y(p), r: 16.4, class: `hover-stone ${color}` }));
    for (const s of stones) marks.push(svg('circle', { cx: this.x(s), cy: this.y(s), r: 20, class: 'foul-ring' }));
    this.#layers.hover.replaceChildren(...marks);
  }

  #label(view) {
    const stones = new Map(view.stones.map((s) => [s.point, s]));
    const fouls = new Map(view.fouls.map((f) => [f.point, f.foul]));
    for (const [p, c] of this.#cells) {
      const s = stones.get(p);
      let text = `${p.toUpperCase()}, `;
      if (s) {
        text += t(`color.${s.color}`);
        if (s.number) text += `, ${t('cell.move', { n: s.number })}`;
        if (p === view.last) text += `, ${t('cell.last')}`;
      } else if (fouls.has(p)) {
        text += t('cell.foul', { foul: t(`foul.${fouls.get(p)}`) });
      } else {
        text += t('cell.empty');
      }
      if (c.getAttribute('aria-label') !== text) c.setAttribute('aria-label', text);
    }
  }
}

function definitions() {
  const gradient = (id, ...stops) =>
    svg('radialGradient', { id, cx: '36%', cy: '30%', r: '72%' }, ...stops.map(([offset, name]) => svg('stop', { offset, class: name })));
  const wood = svg(
    'linearGradient',
    { id: 'wood', x1: 0, y1: 0, x2: 1, y2: 1 },
    svg('stop', { offset: 0, class: 'wood-1' }),
    svg('stop', { offset: 0.55, class: 'wood-2' }),
    svg('stop', { offset: 1, class: 'wood-3' }),
  );
  return svg(
    'defs',
    {},
    wood,
    gradient('black-stone', [0, 'black-1'], [0.45, 'black-2'], [1, 'black-3']),
    gradient('white-stone', [0, 'white-1'], [0.6, 'white-2'], [1, 'white-3']),
  );
}
