// The engine outside of a browser: as a native program and as WebAssembly under
// node, built from the repository.
import { execFileSync, spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';

export const repository = fileURLToPath(new URL('../../..', import.meta.url));

const go = (args, env = {}) => execFileSync('go', args, { cwd: repository, env: { ...process.env, ...env }, encoding: 'utf8' });

// scratch makes a folder that nobody else uses.
export const scratch = () => mkdtempSync(join(tmpdir(), 'gomoku-web-'));

// buildSite writes the site into a folder.
export function buildSite(dir) {
  go(['run', './examples/web', '-out', dir]);
  return dir;
}

// An Engine answers one message after the other: ask returns the result.
class Engine {
  #waiting = new Map();
  #next = 1;

  receive(text) {
    const { id, result, error, progress } = JSON.parse(text);
    if (progress) return;
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) reject(new Error(error.text));
    else resolve(result);
  }

  ask(op, args) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send(JSON.stringify({ id, op, ...args }));
    });
  }
}

export function native(dir) {
  const program = join(dir, 'engine');
  go(['build', '-o', program, './examples/web/engine']);
  const engine = new Engine();
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', (line) => engine.receive(line));
  engine.send = (text) => child.stdin.write(`${text}\n`);
  engine.close = () => child.stdin.end();
  return engine;
}

// wasm runs the engine of a site in this process.
export async function wasm(site) {
  globalThis.crypto ??= { getRandomValues: randomFillSync };
  runInThisContext(readFileSync(join(site, 'js', 'wasm_exec.js'), 'utf8'));
  const program = new globalThis.Go();
  const engine = new Engine();
  globalThis.gomokuSend = (text) => engine.receive(text);
  const ready = new Promise((done) => (globalThis.gomokuReady = done));
  const { instance } = await WebAssembly.instantiate(readFileSync(join(site, 'engine.wasm')), program.importObject);
  program.run(instance);
  await ready;
  engine.send = (text) => globalThis.gomokuAccept(text);
  return engine;
}
