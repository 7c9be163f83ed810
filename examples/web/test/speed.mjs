// How fast the engine searches as WebAssembly, as a share of the native program:
// both search the same positions to the same number of nodes, in turns.
//
//	node speed.mjs [nodes a position, 100000 unless told]
import { buildSite, native, scratch, wasm } from './engine.mjs';

const nodes = Number(process.argv[2] ?? 100_000);
const rounds = 6;
const positions = ['h8i9k5g9j9h10j8g10j10j7', 'h8h9i8g8i9i10j10g7', 'h8i7g9i9g7g8h7i8i10h10'];

const dir = scratch();
const engines = { native: native(dir), wasm: await wasm(process.env.SITE ?? buildSite(dir)) };
const speeds = { native: [], wasm: [] };
const record = (moves) => ({
  size: 15,
  rule: 'freestyle',
  moves: moves.match(/[a-z]\d+/g).map((move, i) => ({ move, color: i % 2 ? 'white' : 'black' })),
});
// The best time of a position counts: the others are those of a busy machine.
for (let round = 0; round < rounds; round++) {
  for (const [i, moves] of positions.entries()) {
    for (const [name, engine] of Object.entries(engines)) {
      const found = await engine.ask('search', { record: record(moves), nodes });
      speeds[name][i] = Math.max(speeds[name][i] ?? 0, found.nodes / found.ms);
    }
  }
}
engines.native.close();
const mean = (list) => 1000 / (list.reduce((sum, speed) => sum + 1 / speed, 0) / list.length);
const [fast, slow] = [mean(speeds.native), mean(speeds.wasm)];
console.log(`native ${Math.round(fast)} nodes/s, wasm ${Math.round(slow)} nodes/s: ${((100 * slow) / fast).toFixed(0)} %`);
process.exit(0);
