// Runs the engine in a web worker. The page sends the compiled module first, then
// messages as JSON text; answers come back as JSON text. Pings are answered here,
// between the engine's moments of rest, so that the page knows that it lives.
'use strict';

// The engine rests every 20 ms for a moment, so that messages get through. A
// browser makes nested timers last 4 ms at least; a message to oneself doesn't wait.
{
  const slow = self.setTimeout.bind(self);
  const clearSlow = self.clearTimeout.bind(self);
  const channel = new MessageChannel();
  const waiting = new Map();
  let next = -1; // own timers are negative
  channel.port1.onmessage = ({ data }) => {
    const run = waiting.get(data);
    waiting.delete(data);
    run?.();
  };
  self.setTimeout = (run, delay, ...args) => {
    if (delay > 1) return slow(run, delay, ...args);
    const id = next--;
    waiting.set(id, () => run(...args));
    channel.port2.postMessage(id);
    return id;
  };
  self.clearTimeout = (id) => (id < 0 ? waiting.delete(id) : clearSlow(id));
}

importScripts('wasm_exec.js');

const early = []; // messages that came before the engine was ready

self.gomokuSend = (text) => postMessage({ text });
self.gomokuReady = () => {
  for (const text of early.splice(0)) self.gomokuAccept(text);
  postMessage({ ready: true });
};

async function run(module) {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  await go.run(instance); // returns when the program has ended, which it should not
  throw new Error('the engine has ended');
}

onmessage = ({ data }) => {
  if (data.module) {
    run(data.module).catch((error) => postMessage({ crash: String(error) }));
  } else if (data.ping) {
    postMessage({ pong: data.ping });
  } else if (self.gomokuAccept) {
    self.gomokuAccept(data.text);
  } else {
    early.push(data.text);
  }
};
