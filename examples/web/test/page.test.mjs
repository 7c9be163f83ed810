// The page in a real browser. Needs Chromium, and Go to build the site:
//
//	npm ci && npm test
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildSite, native, scratch } from './engine.mjs';
import { host, launch, Visit } from './browser.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const game = '(;GM[4]FF[4]SZ[15]RU[renju]PB[Ann]PW[Ben];B[hh];W[ig];B[ii]C[A bold move.](;W[gg];B[hg])(;W[hg]))';
// A win by fours in twelve moves, from renjuportal.com (puzzle 3040): see vcf_puzzles.jsonl
// in the folder testdata of the repository.
const vcf = '15/renju/black=h8i8j9g10h10k10i11h12e13h13l14/white=j8f9h9i9l9i10h11l11k12g13i14/turn=black';
// A win by threats that is none by fours, of Hiroshi Okabe's problems: see vct_puzzles.jsonl.
const vct = '15/renju/black=i7h8h9j9h10/white=h7g8j8i9i11/turn=black';

let browser;
let site;
let engine; // a native one, to play against the page
const dir = scratch();

before(async () => {
  site = await host(process.env.SITE ?? buildSite(join(dir, 'site')));
  engine = native(dir);
  browser = await launch();
});

after(async () => {
  await browser?.close();
  engine?.close();
  site?.close();
});

const visit = (options) => Visit.start(browser, site.url, options);

// page makes a test that visits the page, and fails on errors of its console.
const page = (name, options, run) =>
  test(name, { timeout: 300_000 }, async (t) => {
    const v = await visit(typeof options === 'function' ? {} : options);
    try {
      await (run ?? options)(v, t);
      await v.end();
    } finally {
      await v.context.close(); // a page that goes on thinking would slow the others down
    }
  });

const people = { black: 'person', white: 'person' };

describe('play', () => {
  page('a whole game against level Easy is won', { settings: { white: 'easy' } }, async (v) => {
    for (let move = 0; move < 60; move++) {
      await v.yourTurn();
      if ((await v.status()) !== 'Your move') break;
      const { record } = await engine.ask('new', { text: await v.position() });
      const { best } = await engine.ask('search', { record, depth: 6 });
      const stones = await v.stones();
      await v.cell(best);
      await v.until((n) => gomoku.view.stones.length > n, stones);
    }
    assert.equal(await v.status(), 'You win');
    assert.ok((await v.count('.stone.won')) >= 5);
    assert.match(await v.text('#say'), /You win/);
    assert.equal(await v.count('.win-line'), 1);
    assert.ok(await v.page.isDisabled('#hint'));
    const stones = await v.stones();
    await v.cell('a1');
    assert.equal(await v.stones(), stones, 'no move after the end');
  });

  page('a whole game against level Easy is lost', { settings: { white: 'easy' } }, async (v) => {
    const edge = ['a1', 'o1', 'a15', 'o15', 'a8', 'o8', 'h1', 'h15', 'd1', 'l1', 'd15', 'l15', 'a4', 'o4', 'a12', 'o12'];
    for (const p of edge) {
      await v.yourTurn();
      if ((await v.status()) !== 'Your move') break;
      const stones = await v.stones();
      await v.cell(p);
      await v.until((n) => gomoku.view.stones.length > n, stones);
    }
    await v.yourTurn();
    assert.equal(await v.status(), 'You lose');
    assert.equal(await v.page.evaluate(() => gomoku.game.head.outcome), 'white');
  });

  page('undo and redo', { settings: { white: 'easy' } }, async (v) => {
    await v.cell('h8');
    await v.yourTurn();
    await v.untilStones(2);
    const position = await v.position();
    await v.click('#undo');
    await v.untilStones(0);
    assert.equal(await v.status(), 'Looking back, move 0');
    await v.click('#redo');
    await v.untilStones(2);
    assert.equal(await v.position(), position);
    await v.click('#undo');
    await v.untilStones(0);
    await v.cell('g7'); // another game; the first is kept as a variation
    await v.untilStones(2);
    await v.yourTurn();
    assert.match(await v.position(), /moves=g7/);
    assert.equal(await v.count('#moves .branch'), 1);
  });

  page('a hint is shown and said', { settings: people }, async (v) => {
    await v.cell('h8');
    await v.untilStones(1);
    await v.click('#hint');
    await v.page.waitForSelector('.ghost.best');
    await v.says('#say', 'Hint: ');
    assert.equal(await v.stones(), 1);
  });

  page('the computer begins, thinks aloud, and moves at once when told', { settings: { black: 'master', white: 'person', seconds: 10, heat: true } }, async (v) => {
    await v.untilStones(1); // from the book
    await v.yourTurn();
    await v.cell('a1');
    await v.page.waitForSelector('.warm');
    await v.says('#thinking-figures', 'Depth');
    assert.match(await v.text('#thinking-line'), /^[a-o]\d+ /);
    assert.match(await v.status(), /Black is thinking/);
    const began = Date.now();
    await v.click('#move-now');
    await v.untilStones(3);
    assert.ok(Date.now() - began < 1500, `moved ${Date.now() - began} ms later`);
    await v.click('#open-settings');
    await v.click('label:has(#set-thinking)');
    await v.page.keyboard.press('Escape');
    assert.ok(await v.page.isHidden('#thinking'));
    assert.equal(await v.count('.warm'), 0);
  });

  page('engine against engine, paused and resumed', { settings: { black: 'easy', white: 'normal', size: 9 } }, async (v) => {
    await v.until(() => gomoku.view.stones.length >= 4);
    await v.click('#pause');
    await v.says('#status-text', 'Paused');
    const stones = await v.stones();
    await v.page.waitForTimeout(700);
    assert.equal(await v.stones(), stones);
    await v.click('#pause');
    await v.until((n) => gomoku.view.stones.length > n + 2 || gomoku.view.over, stones);
  });

  page('renju: fouls are marked, explained and refused', { settings: { ...people, rule: 'renju', threats: true } }, async (v) => {
    for (const [i, p] of ['h8', 'a1', 'i8', 'a3', 'j9', 'a5', 'j10', 'a7'].entries()) {
      await v.cell(p);
      await v.untilStones(i + 1);
    }
    assert.equal(await v.count('.foul'), 1);
    assert.match(await v.page.getAttribute('[data-point="j8"]', 'aria-label'), /forbidden for Black: double-three/);
    assert.match(await v.text('#notes'), /J8 \(double-three\)/);
    await v.cell('j8');
    await v.says('.toast.error', 'J8 is forbidden for Black: two open threes at once.');
    assert.equal(await v.count('.foul-ring'), 4);
    assert.equal(await v.stones(), 8);
  });

  page('threats are shown', { settings: { ...people, threats: true } }, async (v) => {
    for (const [i, p] of ['h8', 'a1', 'i8', 'a3', 'j8'].entries()) {
      await v.cell(p);
      await v.untilStones(i + 1);
    }
    assert.equal(await v.count('.threat.three'), 1);
    assert.match(await v.text('#notes'), /Black: open three H8 I8 J8; completed at G8 K8/);
  });

  page('the clock runs and ends the game', { settings: { ...people, clock: 1 } }, async (v) => {
    await v.page.clock.install();
    await v.choose({ clock: 1 });
    await v.cell('h8');
    await v.untilStones(1);
    await v.page.clock.runFor(5000);
    await v.until(() => /^0:5[456]$/.test(document.querySelector('#player-white .clock').textContent));
    assert.equal(await v.text('#player-black .clock'), '1:00');
    await v.page.clock.runFor(60_000);
    await v.says('#status-text', 'Black wins on time');
    await v.cell('i9');
    assert.equal(await v.stones(), 1);
  });

  page('resigning', { settings: { white: 'easy' } }, async (v) => {
    await v.cell('h8');
    await v.untilStones(2);
    await v.yourTurn();
    await v.click('#resign');
    await v.says('#status-text', 'White wins by resignation');
    await v.click('#undo'); // takes the resignation back
    await v.says('#status-text', 'Your move');
  });

  page('swap2: the person puts stones, the computer chooses', { settings: { white: 'master', opening: 'swap2', seconds: 0.5 } }, async (v) => {
    for (const [i, p] of ['h8', 'h9', 'd4'].entries()) {
      await v.cell(p);
      await v.until((n) => gomoku.view.stones.length >= n, i + 1);
    }
    await v.until(() => gomoku.game.head.opening || document.querySelector('#choice button'));
    if (await v.count('#choice button')) {
      assert.equal(await v.stones(), 5);
      await v.click('[data-choice="white"]');
    }
    await v.until(() => /^swap2:(black|white)@[35]$/.test(gomoku.game.head.opening));
    const seats = await v.page.evaluate(() => Object.values(gomoku.modes.play.seats).sort());
    assert.deepEqual(seats, ['master', 'person']);
  });

  page('swap2: the computer puts stones, the person chooses', { settings: { black: 'easy', white: 'person', opening: 'swap2', seconds: 0.5 } }, async (v) => {
    await v.page.waitForSelector('#choice [data-choice="two"]');
    assert.equal(await v.stones(), 3);
    await v.click('[data-choice="two"]');
    await v.page.waitForFunction(() => gomoku.modes.play.plays(['a1', 'a2', 'b1'].find((p) => !gomoku.view.stones.some((s) => s.point === p))));
    for (const n of [4, 5]) {
      await v.cell(n === 4 ? 'n13' : 'b13');
      await v.until((n) => gomoku.view.stones.length >= n, n);
    }
    await v.until(() => gomoku.game.head.opening);
  });
});

describe('analysis', () => {
  page('is started and stopped', async (v) => {
    await v.cell('h8');
    await v.click('#mode-analyse');
    await v.click('#analyse');
    await v.until(() => document.querySelectorAll('#analysis-lines li').length === 3);
    await v.says('#analysis-figures', 'Depth');
    await v.page.selectOption('#lines', '5');
    await v.until(() => document.querySelectorAll('#analysis-lines li').length === 5);
    assert.ok((await v.count('.warm')) >= 5);
    const took = await v.page.evaluate(async () => {
      const job = gomoku.engine.job('analyze', { record: gomoku.game.to(gomoku.node) });
      await new Promise((done) => setTimeout(done, 300));
      const began = performance.now();
      document.getElementById('analyse').click();
      job.stop();
      await job.result.catch(() => {}); // it may have had no time to find anything
      return performance.now() - began;
    });
    assert.ok(took < 1000, `stopped after ${took} ms`); // 200 on a machine with nothing else to do
    console.log(`analysis stopped after ${took.toFixed(0)} ms`);
    const depth = await v.text('#analysis-figures');
    await v.page.waitForTimeout(400);
    assert.equal(await v.text('#analysis-figures'), depth);
    // A move of a line is played.
    const stones = await v.stones();
    await v.page.click('#analysis-lines li:first-child button:nth-child(2)');
    await v.untilStones(stones + 2);
  });

  page('SGF is loaded, walked through, commented and saved', async (v) => {
    await v.page.setInputFiles('#file', { name: 'game.sgf', mimeType: 'text/plain', buffer: Buffer.from(game) });
    await v.untilStones(5);
    assert.equal(await v.page.getAttribute('#mode-analyse', 'aria-pressed'), 'true');
    assert.match(await v.text('#player-black'), /Ann/);
    assert.equal(await v.count('#moves .branch'), 1);
    await v.click('#walk-back');
    await v.click('#walk-back');
    await v.untilStones(3);
    assert.equal(await v.page.inputValue('#comment'), 'A bold move.');
    await v.page.fill('#comment', 'A bold move. 好');
    await v.page.keyboard.press('Tab');
    await v.cell('a1');
    await v.untilStones(4);
    const [download] = await Promise.all([v.page.waitForEvent('download'), v.click('#save-sgf')]);
    const text = readFileSync(await download.path(), 'utf8');
    assert.match(text, /PB\[Ann\]/);
    assert.match(text, /C\[A bold move\. 好\]/);
    assert.match(text, /;W\[gg\];B\[hg\]/);
    assert.match(text, /;W\[ao\]/);
    assert.equal(download.suggestedFilename(), 'gomoku.sgf');
    // What was saved is read again.
    await v.page.setInputFiles('#file', { name: 'again.sgf', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await v.untilStones(5);
    assert.equal(await v.count('#moves .branch'), 2);
  });

  page('PSQ and move strings; what a format can’t hold is said', async (v) => {
    await v.click('#mode-analyse');
    await v.page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text/plain', text);
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, 'h8 i9 j8');
    await v.untilStones(3);
    await v.page.fill('#comment', 'comment');
    await v.page.keyboard.press('Tab');
    await v.click('#save-psq');
    await v.says('#loss-text', 'comment');
    const [download] = await Promise.all([v.page.waitForEvent('download'), v.click('#loss-dialog .primary')]);
    const text = readFileSync(await download.path(), 'utf8');
    assert.match(text, /^Piskvorky 15x15/);
    await v.click('#tool-empty');
    await v.cell('h8');
    await v.untilStones(2);
    await v.page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'game.psq'));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    }, text);
    await v.untilStones(3);
    assert.equal(await v.position(), '15 freestyle turn=black moves=h8i9j8');
  });

  page('a file of several games offers a choice', async (v) => {
    await v.page.setInputFiles('#file', { name: 'a.sgf', mimeType: 'text/plain', buffer: Buffer.from(`${game}(;SZ[15];B[zz])(;GM[4]SZ[9];B[ee])`) });
    await v.page.waitForSelector('#games li:nth-child(2)');
    assert.match(await v.text('#games-note'), /could not be read: 1\..*game 2/);
    await v.click('#games li:nth-child(2) button');
    await v.until(() => gomoku.view.size === 9);
  });

  page('stones are set up and taken away', async (v) => {
    await v.click('#mode-analyse');
    await v.click('#tool-black');
    for (const p of ['h8', 'i8', 'j8', 'k8']) await v.cell(p);
    await v.untilStones(4);
    await v.click('#tool-white');
    await v.cell('g8');
    await v.untilStones(5);
    await v.click('#tool-empty');
    await v.cell('k8');
    await v.untilStones(4);
    const turn = await v.page.evaluate(() => gomoku.view.turn);
    await v.click('#tool-turn');
    await v.until((turn) => gomoku.view.turn !== turn, turn);
    await v.click('#tool-play');
    await v.cell('a1');
    await v.untilStones(5);
    // Setting up after a move keeps the game before it.
    await v.click('#tool-black');
    await v.cell('b1');
    await v.untilStones(6);
    await v.click('#walk-first');
    await v.untilStones(4);
    assert.match(await v.position(), /^15 freestyle black=.* white=g8 turn=/);
  });

  page('branches are made the main line and deleted', async (v) => {
    await v.page.setInputFiles('#file', { name: 'game.sgf', mimeType: 'text/plain', buffer: Buffer.from(game) });
    await v.untilStones(5);
    await v.click('#moves .branch button');
    await v.untilStones(4);
    await v.click('#promote');
    await v.until(() => gomoku.game.isMain(gomoku.node));
    await v.click('#remove');
    await v.untilStones(3);
    assert.equal(await v.count('#moves .branch'), 0);
  });

  page('a VCF is solved, its proof walked through and added', { hash: `#${vcf}` }, async (v) => {
    await v.click('#solve-vcf');
    await v.says('#solve-verdict', 'Black wins');
    const ghosts = await v.count('.ghost');
    assert.ok(ghosts >= 15, `${ghosts} moves in the line`);
    // The tree opens to the five.
    await v.click('#solve-proof summary');
    const moves = await v.count('#solve-tree button');
    assert.ok(moves > 2);
    await v.click('#solve-tree button >> nth=1');
    await v.until((n) => document.querySelectorAll('.ghost').length < n, ghosts);
    await v.click('#solve-line button:last-child');
    const stones = await v.stones();
    await v.click('#solve-vcf'); // again: the line is the whole one
    await v.until((n) => document.querySelectorAll('.ghost').length === n, ghosts);
    await v.click('#solve-add');
    await v.untilStones(stones + ghosts);
    await v.page.evaluate(() => (location.hash = '#15/freestyle/moves=h8'));
    await v.untilStones(1);
    await v.page.selectOption('#solve-color', 'black'); // not on turn
    await v.click('#solve-vcf');
    await v.says('#solve-verdict', 'Black has no such win');
  });

  page('a VCT is solved', { hash: `#${vct}` }, async (v) => {
    await v.click('#solve-vcf');
    await v.says('#solve-verdict', 'Black has no such win');
    await v.click('#solve-vct');
    await v.says('#solve-verdict', 'Black wins');
    assert.equal(await v.text('#solve-line button'), 'f10');
    // The answers differ: each opens what follows it.
    await v.click('#solve-proof > summary');
    await v.click('#solve-tree summary >> nth=0');
    await v.page.waitForSelector('#solve-tree ul li');
    assert.ok((await v.count('#solve-tree ul li')) > 1);
  });

  page('the picture is saved as SVG', { hash: '#15/freestyle/moves=h8i9j8' }, async (v) => {
    const [download] = await Promise.all([v.page.waitForEvent('download'), v.click('#save-svg')]);
    const text = readFileSync(await download.path(), 'utf8');
    assert.match(text, /^<svg[^]*<\/svg>\s*$/);
    assert.match(text, /J8|j8/);
  });
});

describe('robust', () => {
  page('a bad file is refused and changes nothing', { hash: '#15/freestyle/moves=h8i9j8' }, async (v) => {
    const position = await v.position();
    for (const [name, text] of [['bad.sgf', '(;GM[4]SZ[15];B[zz])'], ['a.txt', 'hello'], ['empty.psq', '']]) {
      await v.page.setInputFiles('#file', { name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await v.says('.toast.error:last-child', `“${name}” can’t be opened`);
    }
    assert.equal(await v.position(), position);
    assert.equal(await v.stones(), 3);
    // A game that goes on after its end is opened up to it.
    const long = '(;GM[4]SZ[15];B[hh];W[aa];B[gh];W[ac];B[ih];W[ae];B[jh];W[ag];B[kh];W[bi])';
    await v.page.setInputFiles('#file', { name: 'long.sgf', mimeType: 'text/plain', buffer: Buffer.from(long) });
    await v.says('.toast.error:last-child', 'from number 10 on');
    await v.untilStones(9);
  });

  page('an address names the position; a bad one changes nothing', { hash: '#15/renju/black=h8g9/white=i7/turn=white/moves=h9i8' }, async (v) => {
    assert.equal(await v.stones(), 5);
    assert.equal(await v.page.getAttribute('#mode-analyse', 'aria-pressed'), 'true');
    const position = await v.position();
    for (const bad of ['#15/renju/moves=h8h8', '#nonsense', '#%', '#99/renju']) {
      await v.page.evaluate((hash) => (location.hash = hash), bad);
      await v.says('.toast.error:last-child', 'address');
      await v.until((p) => decodeURIComponent(location.hash.slice(1)).replaceAll('/', ' ') === p, position);
      await v.page.evaluate(() => document.getElementById('toasts').replaceChildren());
    }
    assert.equal(await v.stones(), 5);
    await v.page.evaluate(() => (location.hash = '#9/caro/moves=e5'));
    await v.untilStones(1);
  });

  test('a bad address at the start gives a message and a game', async () => {
    const v = await visit({ hash: '#15/nothing' });
    await v.says('.toast.error', 'address');
    await v.cell('h8');
    await v.until(() => gomoku.view.stones.length >= 1);
    await v.end();
  });

  page('a killed worker is replaced, the position kept', { hash: '#15/freestyle/moves=h8i9j8i8' }, async (v) => {
    await v.click('#analyse');
    await v.says('#analysis-figures', 'Depth');
    await v.page.evaluate(() => gomoku.engine.kill());
    await v.says('.toast', 'restarted');
    assert.equal(await v.stones(), 4);
    await v.page.evaluate(() => (document.getElementById('analysis-figures').textContent = ''));
    await v.says('#analysis-figures', 'Depth'); // it goes on
    await v.page.evaluate(() => (document.getElementById('toasts').replaceChildren(), gomoku.rules.kill()));
    await v.cell('a1'); // is asked of the new worker
    await v.untilStones(5);
    await v.says('.toast', 'restarted');
  });

  page('a worker that does not stop is replaced in time', async (v) => {
    const took = await v.page.evaluate(async () => {
      const job = gomoku.engine.job('analyze', { record: gomoku.game.to(gomoku.node) });
      gomoku.engine.kill();
      const began = performance.now();
      job.stop();
      await job.result.catch(() => {});
      return performance.now() - began;
    });
    assert.ok(took < 1000, `${took} ms`);
    console.log(`a job that does not stop was given up after ${took.toFixed(0)} ms`);
    const again = await v.page.evaluate(() => gomoku.engine.call('search', { record: gomoku.game.to(gomoku.node), depth: 2 }));
    assert.ok(again.best);
  });

  page('50 fast random clicks', { settings: people }, async (v) => {
    let seed = 7;
    const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
    const points = Array.from({ length: 50 }, () => 'abcdefghijklmno'[random(15)] + (random(15) + 1));
    await v.page.evaluate((points) => {
      for (const p of points) document.querySelector(`[data-point="${p}"]`).click();
    }, points.slice(0, 25));
    for (const p of points.slice(25)) await v.cell(p);
    await v.page.waitForTimeout(300);
    const [stones, drawn, moves] = await v.page.evaluate(() => [gomoku.view.stones.length, document.querySelectorAll('.stone').length, gomoku.view.moves]);
    assert.equal(stones, drawn);
    assert.equal(moves.match(/[a-z]\d+/g).length, stones);
    assert.ok(stones > 10, `${stones} stones`);
    assert.equal(await v.position(), `15 freestyle turn=black moves=${moves}`);
  });

  page('clicks anywhere while the computer thinks', { settings: { white: 'hard' } }, async (v) => {
    for (const id of ['undo', 'redo', 'hint', 'move-now', 'resign', 'mode-analyse', 'analyse', 'mode-play', 'undo', 'hint', 'mode-analyse', 'mode-play']) {
      await v.page.evaluate((id) => {
        document.querySelector('[data-point="h8"]').click();
        document.getElementById(id).click();
        document.querySelector('[data-point="g7"]').click();
      }, id);
      await v.page.waitForTimeout(40);
    }
    await v.page.waitForTimeout(1500);
    const [stones, drawn] = await v.page.evaluate(() => [gomoku.view.stones.length, document.querySelectorAll('.stone').length]);
    assert.equal(stones, drawn);
  });

  page('the page is remembered over a reload', { settings: { ...people, rule: 'renju', numbers: true } }, async (v) => {
    await v.cell('h8');
    await v.untilStones(1);
    await v.cell('i9');
    await v.untilStones(2);
    await v.page.reload();
    await v.ready();
    await v.untilStones(2);
    assert.equal(await v.page.evaluate(() => gomoku.view.rule), 'renju');
    assert.equal(await v.text('.stone.white .number'), '2');
    assert.equal(await v.page.getAttribute('#mode-play', 'aria-pressed'), 'true');
  });

  test('without storage the page works', async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no', 'SecurityError'); } }));
    const p = await context.newPage();
    const faults = [];
    p.on('pageerror', (e) => faults.push(e.message));
    await p.goto(site.url);
    await p.waitForSelector('html[data-ready]', { state: 'attached' });
    await p.click('[data-point="h8"]');
    await p.waitForFunction(() => document.querySelectorAll('.stone').length === 2);
    assert.deepEqual(faults, []);
    await context.close();
  });

  page('offline after the first visit', { settings: { white: 'easy' } }, async (v) => {
    await v.page.evaluate(() => navigator.serviceWorker.ready);
    await v.until(() => navigator.serviceWorker.controller !== null);
    await v.context.setOffline(true);
    await v.page.reload();
    await v.ready();
    await v.cell('h8');
    await v.untilStones(2);
    await v.click('#open-settings');
    await v.page.selectOption('#set-language', 'zh');
    await v.says('#settings-title', '设置');
  });
});

describe('people', () => {
  page('the keyboard alone', { settings: { white: 'easy' } }, async (v) => {
    const { keyboard } = v.page;
    const focused = () => v.page.evaluate(() => document.activeElement.dataset.point ?? document.activeElement.id);
    await keyboard.press('Tab');
    assert.equal(await focused(), 'skip');
    await keyboard.press('Enter');
    assert.equal(await focused(), 'h8');
    for (const key of ['ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) await keyboard.press(key);
    assert.equal(await focused(), 'i8');
    await keyboard.press('Enter');
    await v.untilStones(2);
    assert.match(await v.text('#say'), /^White [A-O]\d+\.$/);
    assert.match(await v.page.getAttribute('[data-point="i8"]', 'aria-label'), /^I8, black, move 1/);
    await v.yourTurn();
    await keyboard.press('u');
    await v.untilStones(0);
    await keyboard.press('r');
    await v.untilStones(2);
    await keyboard.press('PageUp');
    await v.untilStones(1);
    await keyboard.press('PageDown');
    await v.untilStones(2);
    await keyboard.press('n');
    await v.page.waitForSelector('#new-dialog[open]');
    await keyboard.press('Escape');
    await v.page.waitForSelector('#new-dialog:not([open])', { state: 'attached' });
    await keyboard.press('p');
    await v.page.waitForSelector('#panel-analyse:not([hidden])');
    await keyboard.press('a');
    await v.says('#analysis-figures', 'Depth');
    await keyboard.press('a');
    await keyboard.press('p');
    await v.page.waitForSelector('#panel-play:not([hidden])');
    // Everything can be reached with Tab.
    const reached = new Set();
    for (let i = 0; i < 40; i++) {
      await keyboard.press('Tab');
      reached.add(await focused());
    }
    for (const id of ['new-game', 'undo', 'hint', 'resign', 'heat', 'open-settings', 'mode-analyse']) assert.ok(reached.has(id), id);
  });

  page('a phone', { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, settings: { ...people } }, async (v) => {
    const fits = () => v.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(await fits());
    await v.page.tap('[data-point="h8"]');
    await v.page.waitForSelector('.ghost.pending');
    assert.equal(await v.stones(), 0, 'the first tap only points');
    await v.page.tap('[data-point="i8"]');
    await v.page.tap('[data-point="i8"]');
    await v.untilStones(1);
    await v.page.tap('#mode-analyse');
    assert.ok(await fits());
    await v.page.tap('#analyse');
    await v.says('#analysis-figures', 'Depth');
    assert.ok(await fits());
  });

  page('the smallest phone', { viewport: { width: 320, height: 568 }, settings: people }, async (v) => {
    const fits = () => v.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(await fits(), 'play');
    await v.click('#mode-analyse');
    assert.ok(await fits(), 'analyse');
    const { width } = await v.page.locator('#board').boundingBox();
    assert.ok(width > 280, `the board uses the width: ${width}`);
    await v.page.setViewportSize({ width: 568, height: 320 });
    const lying = await v.page.locator('#board').boundingBox();
    assert.ok(lying.width > 280, `the board is not shrunk to the height: ${lying.width}`);
  });

  page('Chinese', { locale: 'zh-CN', settings: { white: 'easy' } }, async (v) => {
    assert.equal(await v.page.getAttribute('html', 'lang'), 'zh-CN');
    assert.equal(await v.text('#new-game'), '新对局');
    assert.equal(await v.status(), '轮到你了');
    await v.cell('h8');
    await v.untilStones(2);
    await v.says('#say', '白方');
    assert.match(await v.page.getAttribute('[data-point="h8"]', 'aria-label'), /黑子/);
    await v.click('#open-settings');
    await v.page.selectOption('#set-language', 'en');
    await v.says('#settings-title', 'Settings');
    assert.equal(await v.text('#new-game'), 'New game');
  });

  page('dark and light follow the system', { colorScheme: 'dark' }, async (v) => {
    const theme = () => v.page.getAttribute('html', 'data-theme');
    assert.equal(await theme(), 'dark');
    await v.page.emulateMedia({ colorScheme: 'light' });
    await v.page.waitForSelector('html[data-theme="light"]');
    await v.click('#open-settings');
    await v.page.selectOption('#set-theme', 'dark');
    assert.equal(await theme(), 'dark');
  });

  page('nothing moves for those who want that', { reducedMotion: 'reduce', hash: '#15/freestyle/moves=h8a1i8a3j8a5k8a7l8' }, async (v) => {
    assert.equal(await v.count('.stone.won'), 5);
    assert.equal(await v.page.evaluate(() => document.getAnimations().length), 0);
    await v.page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.ok((await v.page.evaluate(() => document.getAnimations().length)) > 5);
  });

  // axe checks the page as it is.
  const check = async (v, what) => {
    await v.page.addScriptTag({ content: axe });
    const { violations } = await v.page.evaluate(() => axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
    const found = violations.map((rule) => `${rule.id}: ${rule.nodes.map((n) => `${n.target} ${n.failureSummary}`).join('; ')}`);
    assert.deepEqual(found, [], what);
  };

  const views = async (v, t) => {
    await check(v, 'play');
    await v.page.evaluate(() => gomoku.changeSettings({ threats: true, numbers: true, heat: true }));
    await v.page.setInputFiles('#file', { name: 'game.sgf', mimeType: 'text/plain', buffer: Buffer.from(game) });
    await v.untilStones(5);
    await v.click('#analyse');
    await v.says('#analysis-figures', 'Depth');
    await v.click('#analyse');
    await check(v, 'analysis');
    for (const [dialog, open] of Object.entries({ settings: '#open-settings', help: '#open-help', paste: '#paste' })) {
      await v.click(open);
      await v.page.waitForSelector(`#${dialog}-dialog[open]`);
      await check(v, dialog);
      await v.page.keyboard.press('Escape');
    }
    await v.page.setInputFiles('#file', { name: 'a.sgf', mimeType: 'text/plain', buffer: Buffer.from('nothing') });
    await v.page.waitForSelector('.toast.error');
    await check(v, 'an error');
    await v.click('#mode-play');
    await v.click('#new-game');
    await check(v, 'new game');
    await v.page.keyboard.press('Escape');
    await v.page.evaluate(() => (location.hash = '#15/freestyle/moves=h8a1i8a3j8a5k8a7l8'));
    await v.until(() => gomoku.view.over);
    await check(v, 'a win');
  };
  page('axe finds nothing in any view, light', { reducedMotion: 'reduce' }, views);
  page('axe finds nothing in any view, dark', { reducedMotion: 'reduce', colorScheme: 'dark' }, views);
  page('axe finds nothing in any view, phone', { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } }, views);
  page('axe finds nothing in any view, high contrast', { reducedMotion: 'reduce', contrast: 'more' }, views);
});

describe('figures', () => {
  test('first paint, ready, and a stone while the engine thinks', async (t) => {
    const v = await visit({ settings: people });
    const paint = [];
    for (let i = 0; i < 3; i++) {
      const fresh = await visit();
      paint.push(
        await fresh.page.evaluate(() => ({
          paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
          ready: performance.getEntriesByName('ready')[0].startTime,
        })),
      );
      await fresh.end();
    }
    const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
    await v.click('#mode-analyse');
    await v.cell('h8');
    await v.untilStones(1);
    await v.click('#analyse');
    await v.says('#analysis-figures', 'Depth');
    // From the event to the frame after the stone is there.
    const times = [];
    for (const p of ['i9', 'g9', 'j8', 'f7', 'k10', 'e5', 'd11', 'l4', 'c12', 'm3']) {
      await v.page.waitForTimeout(150);
      const time = v.page.evaluate(
        () =>
          new Promise((done) => {
            addEventListener('pointerdown', (e) => {
              const stones = document.querySelectorAll('.stone').length;
              new MutationObserver((_, observer) => {
                if (document.querySelectorAll('.stone').length <= stones) return;
                observer.disconnect();
                requestAnimationFrame(() => setTimeout(() => done(performance.now() - e.timeStamp)));
              }).observe(document.getElementById('board'), { childList: true, subtree: true });
            }, { once: true, capture: true });
          }),
      );
      await v.page.waitForTimeout(20);
      await v.cell(p);
      times.push(await time);
    }
    await v.end();
    const figures = { paint: median(paint.map((p) => p.paint)), ready: median(paint.map((p) => p.ready)), stone: median(times), worst: Math.max(...times) };
    console.log(
      `first paint ${figures.paint.toFixed(0)} ms, ready to play ${figures.ready.toFixed(0)} ms, ` +
        `click to drawn stone while the engine thinks ${figures.stone.toFixed(0)} ms (worst of ${times.length}: ${figures.worst.toFixed(0)} ms)`,
    );
  });
});
