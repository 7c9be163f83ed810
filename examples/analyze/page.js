(() => {
  "use strict";
  const ns = "http://www.w3.org/2000/svg";
  const cell = 40, left = 44; // of the board's picture

  function element(name, attributes, parent) {
    const e = document.createElementNS(ns, name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    if (parent) parent.append(e);
    return e;
  }

  // remarked reports whether a step deserves a remark.
  const remarked = (step) => ["inaccuracy", "mistake", "blunder"].includes(step.grade);

  // A viewer shows one game.
  class Viewer {
    constructor(section, game) {
      this.game = game;
      this.at = game.steps.length; // how many steps have been made
      this.line = null; // that is shown, of the last step
      this.range = section.querySelector("input[type=range]");
      this.words = section.querySelector(".words");
      this.buttons = section.querySelector(".lines");
      this.rows = [...section.querySelectorAll(".moves tbody tr")];
      const board = section.querySelector(".board");
      board.innerHTML = game.board;
      this.svg = board.querySelector("svg");
      this.side = left + cell * (game.size - 1) + 28;
      this.stones = element("g", { class: "stones", "stroke-width": "1.2" }, this.svg);
      this.graph = section.querySelector(".graph svg");
      this.now = element("path", { class: "now" }, this.graph);
      game.steps.forEach((s, i) => {
        if (remarked(s) && i + 1 < game.curve.length) {
          const x = 10 * (i + 1), y = 100 * (1 - game.curve[i + 1]);
          element("path", { class: "mark " + s.grade, d: `M${x} ${y}h0.01` }, this.graph);
        }
      });
      this.range.addEventListener("input", () => this.go(+this.range.value));
      for (const b of section.querySelectorAll("[data-go]")) b.addEventListener("click", () => this.turn(b.dataset.go));
      this.svg.addEventListener("click", (e) => this.clickBoard(e));
      this.graph.addEventListener("click", (e) => {
        const box = this.graph.getBoundingClientRect();
        this.go(Math.round((e.clientX - box.left) / box.width * this.game.steps.length));
      });
      for (const row of this.rows) row.addEventListener("click", () => this.go(this.indexOf(+row.dataset.move) + 1));
      this.show();
    }

    indexOf(number) { return this.game.steps.findIndex((s) => s.n === number); }

    turn(where) {
      const n = this.game.steps.length;
      switch (where) {
        case "first": return this.go(0);
        case "back": return this.go(this.at - 1);
        case "on": return this.go(this.at + 1);
        case "last": return this.go(n);
        case "remark":
          for (let i = 1; i <= n; i++) {
            const at = (this.at - 1 + i + n) % n;
            if (remarked(this.game.steps[at])) return this.go(at + 1);
          }
      }
    }

    go(at) {
      at = Math.max(0, Math.min(at, this.game.steps.length));
      if (at === this.at && !this.line) return;
      this.at = at;
      this.line = null;
      this.show();
      remember();
    }

    toggle(line) {
      this.line = this.line === line ? null : line;
      this.show();
    }

    // clickBoard goes to the move of a stone; elsewhere the right half of the
    // board goes on and the left half back.
    clickBoard(e) {
      const box = this.svg.getBoundingClientRect();
      const x = Math.round(((e.clientX - box.left) / box.width * this.side - left) / cell);
      const y = Math.round((this.side - left - (e.clientY - box.top) / box.height * this.side) / cell);
      const i = this.game.steps.findIndex((s) => s.p === y * this.game.size + x && x >= 0 && x < this.game.size);
      if (i >= 0 && i < this.at) return this.go(i + 1 === this.at ? this.at - 1 : i + 1);
      this.turn(e.clientX - box.left < box.width / 2 ? "back" : "on");
    }

    // position returns the stones after some steps: point to [colour, number].
    position(at) {
      const stones = new Map();
      const set = (black, white) => {
        stones.clear();
        for (const p of black) stones.set(p, ["black", 0]);
        for (const p of white) stones.set(p, ["white", 0]);
      };
      set(this.game.black || [], this.game.white || []);
      this.game.steps.slice(0, at).forEach((s) => {
        if (s.black || s.white) set(s.black || [], s.white || []);
        stones.set(s.p, [s.c, s.n]);
      });
      const next = this.game.steps[at];
      if (next && (next.black || next.white)) set(next.black || [], next.white || []);
      return stones;
    }

    place(p) {
      const x = p % this.game.size, y = Math.floor(p / this.game.size);
      return { cx: left + cell * x, cy: this.side - left - cell * y };
    }

    name(p) {
      if (p < 0) return "pass";
      return String.fromCharCode(97 + p % this.game.size) + (Math.floor(p / this.game.size) + 1);
    }

    stone(p, color, number, ghost) {
      const c = this.place(p), kind = color === "black" ? "b" : "w";
      element("circle", { ...c, r: 18, class: kind + (ghost ? " ghost" : "") }, this.stones);
      if (number > 0) {
        const size = number > 99 ? 13 : 16;
        element("text", { x: c.cx, y: c.cy + 0.36 * size, "font-size": size, class: kind }, this.stones).textContent = number;
      }
    }

    show() {
      const step = this.game.steps[this.at - 1];
      const before = this.line && !this.line.after;
      const stones = this.position(before ? this.at - 1 : this.at);
      this.stones.replaceChildren();
      for (const [p, [color, number]] of stones) this.stone(p, color, number, false);
      if (step && !before) {
        element("circle", { ...this.place(step.p), r: 15, class: "ring " + (step.c === "black" ? "b" : "w") }, this.stones);
      }
      const better = step && remarked(step) && step.lines.find((l) => !l.after);
      if (better && !this.line && better.line[0] >= 0) {
        element("circle", { ...this.place(better.line[0]), r: 12, class: "instead" }, this.stones);
      }
      if (this.line) {
        let color = before === (step.c === "black") ? "black" : "white";
        this.line.line.forEach((p, i) => {
          if (p >= 0) this.stone(p, color, i + 1, true);
          color = color === "black" ? "white" : "black";
        });
      }
      this.say(step, stones);
      this.range.value = this.at;
      this.range.setAttribute("aria-valuetext", this.at ? `after move ${step.n}` : "before the first move");
      this.now.setAttribute("d", `M${10 * this.at} -4V104`);
      for (const row of this.rows) {
        const current = !!step && +row.dataset.move === step.n;
        row.toggleAttribute("aria-current", current);
        if (!current) continue;
        row.setAttribute("aria-current", "true");
        const box = row.closest(".scroll");
        if (box.scrollHeight > box.clientHeight) box.scrollTop = row.offsetTop - box.clientHeight / 2;
      }
    }

    // say tells in words what is shown.
    say(step, stones) {
      const focused = this.buttons.contains(document.activeElement) ? document.activeElement.textContent : "";
      this.words.replaceChildren();
      this.buttons.replaceChildren();
      if (!step) {
        this.words.textContent = "Before the first move.";
      } else {
        const head = document.createElement("strong");
        head.textContent = `Move ${step.n}: ${step.c === "black" ? "Black" : "White"} ${this.name(step.p)}`;
        this.words.append(head, "\n" + (step.said || "Not looked at."));
        for (const line of step.lines) {
          const b = document.createElement("button");
          b.type = "button";
          b.textContent = line.name;
          b.setAttribute("aria-pressed", String(this.line === line));
          b.addEventListener("click", () => this.toggle(line));
          this.buttons.append(b);
          if (line.name === focused) b.focus();
          if (this.line === line && line.words) this.words.append(`\n${line.name}: ${line.words}`);
        }
      }
      const list = (color) => [...stones].filter(([, s]) => s[0] === color).map(([p]) => this.name(p)).join(" ") || "none";
      this.svg.querySelector("title").textContent = step ? `Board after move ${step.n}` : "Board before the first move";
      this.svg.querySelector("desc").textContent = `Black stones: ${list("black")}. White stones: ${list("white")}.`;
    }

    key(e) {
      const where = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", n: "remark", N: "remark" }[e.key];
      if (where) {
        this.turn(where);
        return true;
      }
      const step = this.game.steps[this.at - 1];
      const better = step && step.lines.find((l) => !l.after);
      if ((e.key === "b" || e.key === "B") && better) {
        this.toggle(better);
        return true;
      }
      return false;
    }
  }

  document.documentElement.classList.add("script");
  const sections = [...document.querySelectorAll("section.game")];
  const viewers = [];
  let current = 0;

  function choose(i) {
    current = i;
    sections.forEach((s, j) => { s.hidden = j !== i; });
    viewers[i] ??= new Viewer(sections[i], games[i]);
  }

  const select = document.getElementById("choose");
  if (select) {
    select.addEventListener("change", () => choose(+select.value - 1));
  } else if (sections.length) {
    sections[0].classList.add("only");
  }

  // The address names the game and the move, "#2.15", so that it can be passed on.
  function remember() {
    try {
      history.replaceState(null, "", `#${current + 1}.${viewers[current].at}`);
    } catch {
      // Some frames may not change their address; the page works without.
    }
  }
  const [, game, move] = location.hash.match(/^#(\d+)\.(\d+)$/) || [];
  if (game && sections[game - 1]) {
    if (select) select.value = game;
    choose(game - 1);
    viewers[current].go(+move);
  } else if (sections.length) {
    choose(select ? +select.value - 1 : 0);
  }
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    if (e.target instanceof Element && e.target.closest("select, input, textarea")) return;
    if (viewers[current] && viewers[current].key(e)) e.preventDefault();
  });
})();
