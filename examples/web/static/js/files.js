// Games in and out: files, drag and drop, paste, the clipboard.
import { el, byId, download, toBase64, fromBase64 } from './dom.js';
import { Game } from './game.js';
import { t, has } from './i18n.js';

const largest = 32 << 20; // bytes of a file
const types = { sgf: 'application/x-go-sgf', psq: 'text/plain', moves: 'text/plain', svg: 'image/svg+xml' };

export class Files {
  #app;

  constructor(app) {
    this.#app = app;
    const on = (id, run) => byId(id).addEventListener('click', () => app.attempt(run));
    byId('open-file').addEventListener('click', () => byId('file').click());
    byId('file').addEventListener('change', async (e) => {
      const [file] = e.target.files;
      if (file) await this.openFile(file);
      e.target.value = '';
    });
    on('paste', () => this.#pasteDialog());
    on('save-sgf', () => this.save('sgf'));
    on('save-psq', () => this.save('psq'));
    on('save-moves', () => this.save('moves'));
    on('save-svg', () => this.#saveSVG());
    on('copy-moves', () => this.#copyMoves());
    on('copy-link', () => this.#copy(location.href));
    this.#listen();
  }

  // #listen takes what is dropped on the page or pasted into it.
  #listen() {
    const cover = byId('drop');
    let depth = 0;
    const takes = (e) => [...(e.dataTransfer?.types ?? [])].some((type) => type === 'Files' || type === 'text/plain');
    addEventListener('dragenter', (e) => takes(e) && (depth++, (cover.hidden = false)));
    addEventListener('dragleave', (e) => takes(e) && --depth <= 0 && (cover.hidden = true));
    addEventListener('dragover', (e) => takes(e) && e.preventDefault());
    addEventListener('drop', (e) => {
      depth = 0;
      cover.hidden = true;
      if (!takes(e)) return;
      e.preventDefault();
      const [file] = e.dataTransfer.files;
      if (file) this.openFile(file);
      else this.openText(e.dataTransfer.getData('text/plain'));
    });
    addEventListener('paste', (e) => {
      if (e.target.matches?.('input, textarea')) return;
      const [file] = e.clipboardData.files;
      const text = e.clipboardData.getData('text/plain');
      if (file) this.openFile(file);
      else if (text.trim()) this.openText(text);
    });
  }

  async openFile(file) {
    await this.#app.attempt(async () => {
      if (file.size > largest) throw Object.assign(new Error(), { code: 'large' });
      await this.#open(new Uint8Array(await file.arrayBuffer()), file.name);
    }, t('error.file', { name: file.name }));
  }

  async openText(text) {
    await this.#app.attempt(() => this.#open(new TextEncoder().encode(text), ''));
  }

  async #open(bytes, name) {
    const { rules, settings } = this.#app;
    const { games, faults, more } = await rules.call('read', { data: toBase64(bytes), name, size: settings.size, rule: settings.rule });
    if (games.length === 1 && !faults.length) return this.#show(games[0]);
    const dialog = byId('games-dialog');
    const note = [];
    if (faults.length) note.push(t('games.bad', { n: faults.length, text: faults[0].text }));
    if (more) note.push(t('games.more'));
    byId('games-note').textContent = note.join('\n');
    byId('games').replaceChildren(
      ...games.map((game) =>
        el('li', {}, el('button', { type: 'button', onclick: () => (dialog.close(), this.#app.attempt(() => this.#show(game))) }, this.#title(game))),
      ),
    );
    dialog.showModal();
  }

  #title({ record, moves }) {
    const name = (player) => (typeof player?.name === 'string' ? player.name : '');
    const players = [name(record.black), name(record.white)].filter(Boolean).join(' – ');
    const date = typeof record.date === 'string' ? record.date : '';
    return [players, date, t('games.moves', { n: moves })].filter(Boolean).join(' · ');
  }

  // #show opens a game at its end, or where its moves can't be played any further.
  async #show({ record, moves, playable, fault }) {
    const app = this.#app;
    const game = new Game({ rule: 'freestyle', ...record });
    let node = game.root;
    for (let i = 0; i < playable && node.next.length; i++) node = node.next[0];
    if (!fault) node = game.end();
    if (app.mode !== 'analyse') {
      app.modes.play.leave();
      app.showMode('analyse');
      app.modes.analyse.enter();
    }
    await app.open(game, node);
    if (fault) app.toast(t('error.rest', { n: playable + 1 }), { error: true, detail: fault.text });
    app.say(t('say.position', { n: playable ?? moves, text: app.statusText() }));
  }

  async #pasteDialog() {
    const dialog = byId('paste-dialog');
    byId('paste-text').value = '';
    dialog.returnValue = '';
    dialog.showModal();
    await new Promise((done) => dialog.addEventListener('close', done, { once: true }));
    if (dialog.returnValue === 'ok') await this.openText(byId('paste-text').value);
  }

  // save offers the game as a file. What the format can't hold is said before.
  async save(format) {
    const { rules, game } = this.#app;
    let { text, losses } = await rules.call('write', { record: game, format });
    if (losses.length) {
      if (!(await this.#agree(losses))) return;
      ({ text } = await rules.call('write', { record: game, format, lossy: true }));
    }
    download(`gomoku.${format}`, fromBase64(text), types[format]);
  }

  // #saveSVG offers a picture of what the board shows.
  async #saveSVG() {
    const { rules, game, node, settings, modes, mode } = this.#app;
    const { coordinates, numbers, fouls, threats } = settings;
    const theme = document.documentElement.dataset.theme;
    const candidates = modes[mode].candidates?.() ?? [];
    const picture = { theme, coordinates, numbers, fouls, threats, candidates };
    const { svg } = await rules.call('draw', { record: game.to(node), picture });
    download('gomoku.svg', svg, types.svg);
  }

  async #agree(losses) {
    const field = (f) => (has(`field.${f}`) ? t(`field.${f}`) : f);
    const dialog = byId('loss-dialog');
    byId('loss-text').textContent = t('loss.text', { list: losses.map((l) => field(l.field)).join(', ') });
    dialog.returnValue = '';
    dialog.showModal();
    await new Promise((done) => dialog.addEventListener('close', done, { once: true }));
    return dialog.returnValue === 'ok';
  }

  async #copyMoves() {
    const { view } = this.#app;
    if (!view.moves) return this.#app.toast(t('moves.none'));
    await this.#copy(view.moves);
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.#app.toast(t('copied'));
    } catch {
      this.#app.toast(t('copy.failed'), { error: true, detail: text });
    }
  }
}
