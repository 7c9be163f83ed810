// The page's side of the workers.

// load fetches and compiles the engine, once for all workers. The compressed file
// serves on every host, whatever it thinks of wasm and of compression.
export async function load(base) {
  const name = 'DecompressionStream' in self ? 'engine.wasm.gz' : 'engine.wasm';
  const response = await fetch(new URL(name, base));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  const bytes = await response.arrayBuffer();
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] !== 0x1f || head[1] !== 0x8b) return WebAssembly.compile(bytes); // plain, or unpacked on the way
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
}

const pingEvery = 1000; // ms
const pingsMissed = 6; // before the worker is taken for dead
const startPatience = 30; // pings, while it starts
const stopPatience = 120; // ms to end a job when asked; then the worker is replaced

// A Fault is the service's refusal: code, text and what else it says.
export class Fault extends Error {
  constructor(fault) {
    super(fault.text);
    Object.assign(this, fault);
  }
}

// A Service is a worker that answers messages. A worker that crashes, or answers
// nothing any more, is replaced; what it was asked is asked again, once.
export class Service {
  #module;
  #worker;
  #jobs = new Map();
  #next = 1;
  #ready = false;
  #unanswered = 0;
  #onrestart;

  constructor(module, onrestart = () => {}) {
    this.#module = module;
    this.#onrestart = onrestart;
    this.#start();
    setInterval(() => this.#ping(), pingEvery);
  }

  #start() {
    this.#ready = false;
    this.#unanswered = 0;
    const worker = new Worker(new URL('worker.js', import.meta.url));
    worker.onmessage = ({ data }) => worker === this.#worker && this.#receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#lost();
    };
    this.#worker = worker;
    worker.postMessage({ module: this.#module });
  }

  #ping() {
    if (document.visibilityState === 'hidden') return;
    if (this.#unanswered >= (this.#ready ? pingsMissed : startPatience)) {
      this.#lost();
      return;
    }
    this.#unanswered++;
    this.#worker.postMessage({ ping: this.#unanswered });
  }

  #receive(data) {
    this.#unanswered = 0;
    if (data.ready) this.#ready = true;
    if (data.crash) this.#lost();
    if (!data.text) return;
    const { id, result, progress, error } = JSON.parse(data.text);
    const job = this.#jobs.get(id);
    if (!job) return;
    if (progress) {
      job.last = progress;
      if (!job.stopped) job.onprogress?.(progress);
      return;
    }
    this.#settle(job);
    if (error) job.reject(new Fault(error));
    else job.resolve(result);
  }

  #settle(job) {
    this.#jobs.delete(job.id);
    clearTimeout(job.timer);
  }

  // replace starts another worker. A job that was to stop ends with what it had;
  // the others are asked again.
  #replace() {
    this.#worker.terminate();
    this.#start();
    for (const job of [...this.#jobs.values()]) {
      if (job.stopped) {
        this.#settle(job);
        if (job.last) job.resolve(job.last);
        else job.reject(new Fault({ code: 'stopped', text: 'stopped' }));
      } else if (job.tries++ > 0) {
        this.#settle(job);
        job.reject(new Fault({ code: 'crash', text: 'the worker crashed twice' }));
      } else {
        this.#worker.postMessage({ text: job.text });
      }
    }
  }

  #lost() {
    this.#replace();
    this.#onrestart();
  }

  // job asks for something that takes a while: {result, stop()}.
  job(op, args = {}, onprogress) {
    const job = { id: this.#next++, onprogress, tries: 0, stopped: false };
    job.text = JSON.stringify({ id: job.id, op, ...args });
    const result = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
    this.#jobs.set(job.id, job);
    this.#worker.postMessage({ text: job.text });
    const stop = () => {
      if (job.stopped || !this.#jobs.has(job.id)) return;
      job.stopped = true;
      this.#worker.postMessage({ text: JSON.stringify({ id: job.id, op: 'stop' }) });
      job.timer = setTimeout(() => this.#replace(), stopPatience);
    };
    return { result, stop };
  }

  call(op, args) {
    return this.job(op, args).result;
  }

  // kill ends the worker without a word, as a browser short of memory does. The
  // tests use it.
  kill() {
    this.#worker.terminate();
  }
}
