// A Game is a record as a tree of nodes. What a move does to the board is the
// library's business; here moves are only kept. The JSON form is the library's.

// The fields of a node that say what it does to the board.
const boardFields = ['move', 'color', 'setup', 'turn'];

function makeNode(fields, parent) {
  const { variations, ...own } = fields;
  return { ...own, parent, next: [] };
}

function addLine(parent, line) {
  for (const fields of line) {
    const node = makeNode(fields, parent);
    parent.next.push(node);
    for (const variation of fields.variations ?? []) addLine(parent, variation);
    parent = node;
  }
}

function fieldsOf(node) {
  const { parent, next, ...own } = node;
  return own;
}

// lineFrom returns the line that starts with the i-th continuation of a node.
function lineFrom(parent, i) {
  const line = [];
  let siblings = false; // those of the first node are the caller's
  for (let node = parent.next[i]; node; node = node.next[0]) {
    const fields = fieldsOf(node);
    const others = node.parent.next;
    if ((siblings || i === 0) && others.length > 1) {
      fields.variations = others.slice(1).map((_, k) => lineFrom(node.parent, k + 1));
    }
    line.push(fields);
    siblings = true;
  }
  return line;
}

export class Game {
  constructor(json) {
    const { start, moves, ...head } = json;
    this.head = head; // size, rule, players, outcome...
    this.root = makeNode(start ?? {}, null);
    addLine(this.root, moves ?? []);
  }

  toJSON() {
    return { ...this.head, start: fieldsOf(this.root), moves: this.root.next.length ? lineFrom(this.root, 0) : [] };
  }

  // to returns the record up to a node, with what the board needs to know.
  to(node) {
    const pick = (n) => Object.fromEntries(boardFields.filter((f) => f in n).map((f) => [f, n[f]]));
    return { size: this.head.size, rule: this.head.rule, start: pick(this.root), moves: this.path(node).map(pick) };
  }

  // path returns the nodes from the first to this one, without the root.
  path(node) {
    const path = [];
    for (; node.parent; node = node.parent) path.push(node);
    return path.reverse();
  }

  // indices and at turn a node into a list of numbers, and back.
  indices(node) {
    return this.path(node).map((n) => n.parent.next.indexOf(n));
  }

  at(indices) {
    let node = this.root;
    for (const i of indices) node = node?.next[i];
    return node ?? this.end();
  }

  // end returns the last node of the main line.
  end(node = this.root) {
    while (node.next.length) node = node.next[0];
    return node;
  }

  // main returns the nodes of the line through a node, to its end.
  main(node) {
    const line = this.path(node);
    for (; node.next.length; line.push(node)) node = node.next[0];
    return line;
  }

  // add returns the node for a move after a node, which may be there already. With
  // first it becomes the main continuation.
  add(parent, fields, first = false) {
    let node = parent.next.find((n) => n.move === fields.move && n.color === fields.color);
    if (!node) {
      node = makeNode(fields, parent);
      parent.next.push(node);
    }
    if (first) this.promote(node);
    return node;
  }

  // promote makes a node the first continuation of its parent.
  promote(node) {
    const others = node.parent.next;
    others.splice(others.indexOf(node), 1);
    others.unshift(node);
  }

  // remove takes a node and what follows away and returns its parent.
  remove(node) {
    const { parent } = node;
    parent.next.splice(parent.next.indexOf(node), 1);
    return parent;
  }

  // isMain tells whether a node is on the main line.
  isMain(node) {
    return this.path(node).every((n) => n.parent.next[0] === n);
  }
}

// moveNumber returns how many moves lead to a node.
export function moveNumber(node) {
  let n = 0;
  for (; node; node = node.parent) if (node.color) n++;
  return n;
}

// textOf returns a text of a record, which may be in another encoding.
export function textOf(text, charset) {
  if (!text) return '';
  if (typeof text === 'string') return text;
  const bytes = Uint8Array.from(atob(text.base64), (c) => c.charCodeAt(0));
  try {
    return new TextDecoder(textOf(charset) || 'gb18030').decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}
