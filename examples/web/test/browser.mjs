// A browser, a host for the site, and a page with what the tests ask of it.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

// patience is how long the tests wait for anything, in ms: a machine may be busy.
const patience = 60_000;

const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM ?? browsers.find(existsSync), args: ['--no-sandbox', '--disable-gpu'] });

// host serves a site as a poor host would: in a folder, without compression, wasm
// as just bytes.
export async function host(dir) {
  const folder = '/some/where/';
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.webmanifest': 'application/json' };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname);
    if (!path.startsWith(folder)) return response.writeHead(404).end();
    const name = normalize(path.slice(folder.length) || 'index.html');
    try {
      const data = readFileSync(join(dir, name));
      response.writeHead(200, { 'Content-Type': types[extname(name)] ?? 'application/octet-stream' }).end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, 'localhost', done));
  return { url: `http://localhost:${server.address().port}${folder}`, close: () => server.close() };
}

// A Visit is a browser context with one page of the site. Errors on its console
// fail the test that ends it.
export class Visit {
  faults = [];

  static async start(browser, url, { settings, hash = '', ...options } = {}) {
    const visit = new Visit();
    visit.url = url;
    visit.context = await browser.newContext({ viewport: { width: 1200, height: 850 }, locale: 'en-US', ...options });
    visit.context.setDefaultTimeout(patience);
    if (settings) {
      // Once, so that what the page remembers afterwards stays.
      await visit.context.addInitScript((text) => {
        if (!localStorage.getItem('gomoku.settings')) localStorage.setItem('gomoku.settings', text);
      }, JSON.stringify(settings));
    }
    visit.page = await visit.context.newPage();
    visit.page.on('console', (m) => ['error', 'warning'].includes(m.type()) && visit.faults.push(m.text()));
    visit.page.on('pageerror', (e) => visit.faults.push(e.stack));
    try {
      await visit.page.goto(url + hash);
      await visit.ready();
    } catch (error) {
      await visit.context.close();
      throw error;
    }
    return visit;
  }

  ready = () => this.page.waitForSelector('html[data-ready]', { state: 'attached' });

  async end() {
    await this.context.close();
    assert.deepEqual(this.faults, [], 'errors on the console');
  }

  click = (selector) => this.page.click(selector);
  text = (selector) => this.page.textContent(selector);
  cell = (p) => this.page.click(`[data-point="${p}"]`);
  count = (selector) => this.page.locator(selector).count();
  status = () => this.text('#status-text');

  // until waits for a condition on the page.
  until = (condition, argument, timeout = patience) => this.page.waitForFunction(condition, argument, { timeout });

  says = (selector, part, timeout) =>
    this.until(([s, p]) => document.querySelector(s)?.textContent.includes(p), [selector, part], timeout);

  stones = () => this.page.evaluate(() => gomoku.view.stones.length);
  // untilStones waits for a number of stones: drawn, and in the library's view.
  untilStones = (n) => this.until((n) => document.querySelectorAll('.stone').length === n && gomoku.view.stones.length === n, n);

  // position is what the address says.
  position = () => this.page.evaluate(() => decodeURIComponent(location.hash.slice(1)).replaceAll('/', ' '));

  // choose starts a game with settings of the new-game dialog.
  async choose(fields) {
    await this.click('#new-game');
    for (const [id, value] of Object.entries(fields)) await this.page.selectOption(`#${id}`, String(value));
    await this.click('#start');
    await this.untilStones(0);
  }

  // yourTurn waits until a person is to move, or the game is over.
  yourTurn = () => this.until(() => /^(Your move|You win|You lose|Draw)/.test(document.getElementById('status-text').textContent), null);
}
