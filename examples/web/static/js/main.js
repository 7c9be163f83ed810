// The page: starts everything and connects the controls.
import { App } from './app.js';
import { Analysis } from './analyse.js';
import { el, byId } from './dom.js';
import { Files } from './files.js';
import { languages, nameOf, speak, t, translate } from './i18n.js';
import { Play } from './play.js';
import { load, Service } from './service.js';
import { loadSettings } from './settings.js';

const base = new URL('..', import.meta.url);
const sizes = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
const levels = ['person', 'easy', 'normal', 'hard', 'expert', 'master'];
const rules = ['freestyle', 'standard', 'renju', 'caro'];
const seconds = [0.5, 1, 2, 3, 5, 10, 20, 30];
const clocks = [0, 1, 3, 5, 10, 15, 30];
const increments = [0, 2, 5, 10];

const keys = [
  [['←', '↑', '↓', '→'], 'key.arrows'],
  [['Enter'], 'key.enter'],
  [['U'], 'key.undo'],
  [['R'], 'key.redo'],
  [['PgUp', 'PgDn'], 'key.pages'],
  [['H'], 'key.hint'],
  [['M'], 'key.now'],
  [['N'], 'key.new'],
  [['A'], 'key.analyse'],
  [['P'], 'key.mode'],
];

const settings = loadSettings();
const loading = load(base); // while the page is built
loading.catch(() => {}); // reported below
await speak(settings.language);
translate();
const app = new App(settings);
app.modes = { play: new Play(app), analyse: new Analysis(app) };
const files = new Files(app);
globalThis.gomoku = app; // for the console, and for the tests
byId('status-text').textContent = t('status.loading');
app.modes.play.renderSeats?.();

// Choices

function fill(id, values, text) {
  const select = byId(id);
  const value = select.value;
  select.replaceChildren(...values.map((v) => el('option', { value: String(v) }, text(v))));
  select.value = value;
}

function fillChoices() {
  for (const c of ['black', 'white']) fill(`seat-${c}`, levels, (l) => t(`seat.${l}`));
  fill('rule', rules, (r) => t(`rule.${r}`));
  fill('size', sizes, (n) => t('size.of', { n }));
  fill('seconds', seconds, (n) => t('seconds.of', { n }));
  fill('clock', clocks, (n) => t(n ? 'clock.of' : 'clock.none', { n }));
  fill('increment', increments, (n) => t(n ? 'increment.of' : 'clock.none', { n }));
  byId('keys').replaceChildren(
    ...keys.flatMap(([names, text]) => [el('dt', {}, ...names.map((k) => el('kbd', {}, k))), el('dd', {}, t(text))]),
  );
}

async function fillLanguages() {
  const options = await Promise.all(languages.map(async (code) => el('option', { value: code }, await nameOf(code))));
  byId('set-language').replaceChildren(el('option', { value: '' }, t('language.system')), ...options);
  byId('set-language').value = settings.language;
}

// A new game

const newFields = { 'seat-black': 'black', 'seat-white': 'white', rule: 'rule', size: 'size', opening: 'opening', seconds: 'seconds', clock: 'clock', increment: 'increment' };

function explainRule() {
  const texts = [t(`rule.text.${byId('rule').value}`)];
  if (byId('opening').value === 'swap2') texts.push(t('opening.text.swap2'));
  byId('rule-text').textContent = texts.join('\n');
  byId('increment').disabled = byId('clock').value === '0';
}

function newDialog() {
  for (const [id, name] of Object.entries(newFields)) byId(id).value = String(settings[name]);
  explainRule();
  byId('new-dialog').returnValue = '';
  byId('new-dialog').showModal();
}

byId('new-game').addEventListener('click', newDialog);
byId('rule').addEventListener('change', explainRule);
byId('opening').addEventListener('change', explainRule);
byId('clock').addEventListener('change', explainRule);
byId('new-dialog').addEventListener('close', () => {
  if (byId('new-dialog').returnValue !== 'ok') return;
  const chosen = Object.fromEntries(
    Object.entries(newFields).map(([id, name]) => [name, typeof settings[name] === 'number' ? Number(byId(id).value) : byId(id).value]),
  );
  app.changeSettings(chosen);
  app.attempt(() => app.modes.play.begin());
});

// Settings

for (const name of ['coordinates', 'numbers', 'threats', 'fouls', 'thinking', 'sound']) {
  const box = byId(`set-${name}`);
  box.checked = settings[name];
  box.addEventListener('change', () => app.changeSettings({ [name]: box.checked }));
}
for (const name of ['theme', 'confirm']) {
  const select = byId(`set-${name}`);
  select.value = settings[name];
  select.addEventListener('change', () => {
    app.changeSettings({ [name]: select.value });
    dispatchEvent(new Event('gomoku-theme'));
  });
}
byId('set-language').addEventListener('change', async (e) => {
  app.changeSettings({ language: e.target.value });
  await speak(settings.language);
  translate();
  fillChoices();
  await fillLanguages();
  byId('choice').dataset.phase = '';
  app.render();
  app.say(t('say.language'));
});
byId('open-settings').addEventListener('click', () => byId('settings-dialog').showModal());
byId('open-help').addEventListener('click', () => byId('help-dialog').showModal());
byId('skip').addEventListener('click', (e) => (e.preventDefault(), app.board.focus()));

// A click beside a dialog closes it.
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.addEventListener('click', (e) => e.target === dialog && dialog.close('cancel'));
}

// Modes, walking through the game, keys

for (const mode of ['play', 'analyse']) byId(`mode-${mode}`).addEventListener('click', () => app.attempt(() => app.game && app.setMode(mode)));
for (const where of ['first', 'back', 'on', 'last']) byId(`walk-${where}`).addEventListener('click', () => app.attempt(() => app.walk(where)));

const click = (id) => byId(id).offsetParent && !byId(id).disabled && byId(id).click();

addEventListener('keydown', (e) => {
  if (document.querySelector('dialog[open]') || e.target.matches('textarea, input:not([type=checkbox]), select')) return;
  const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
  if (e.ctrlKey || e.metaKey) {
    if (key === 'z' && !e.altKey) {
      e.preventDefault();
      if (app.mode === 'analyse') app.attempt(() => app.walk(e.shiftKey ? 'on' : 'back'));
      else click(e.shiftKey ? 'redo' : 'undo');
    } else if (key === 's' && app.game) {
      e.preventDefault();
      app.attempt(() => files.save('sgf'));
    }
    return;
  }
  if (e.altKey) return;
  const play = app.mode === 'play';
  const actions = {
    u: () => (play ? click('undo') : click('walk-back')),
    Backspace: () => (play ? click('undo') : click('walk-back')),
    r: () => (play ? click('redo') : click('walk-on')),
    h: () => play && click('hint'),
    m: () => play && click('move-now'),
    n: () => newDialog(),
    a: () => (play ? click('mode-analyse') : click('analyse')),
    p: () => click(play ? 'mode-analyse' : 'mode-play'),
    PageUp: () => click('walk-back'),
    PageDown: () => click('walk-on'),
    '?': () => click('open-help'),
  };
  if (!actions[key] || !app.game) return;
  e.preventDefault();
  actions[key]();
});

addEventListener('pagehide', () => app.view && app.save());

// The engine

fillChoices();
fillLanguages();
try {
  const module = await loading;
  const restarted = () => app.toast(t('restarted'));
  const services = { rules: new Service(module, restarted), engine: new Service(module, restarted) };
  await app.ready(services.rules, services.engine);
  document.documentElement.dataset.ready = 'true';
  performance.mark('ready');
} catch (error) {
  byId('status-text').textContent = t('error.start');
  app.toast(t('error.start'), { error: true, detail: String(error.message ?? error) });
}

// Without a network the page works, too. A new version of it is announced.
if ('serviceWorker' in navigator) {
  try {
    const had = navigator.serviceWorker.controller;
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      if (had) app.toast(t('updated'), { action: { text: t('reload'), run: () => location.reload() } });
    });
    await navigator.serviceWorker.register(new URL('sw.js', base), { scope: base.pathname });
  } catch {
    // Some browsers and modes have none; nothing depends on it.
  }
}
