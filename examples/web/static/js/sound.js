// Sounds, made when they are needed.
let context;

function knock(at, frequency, length, loudness) {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.setValueAtTime(frequency, at);
  oscillator.frequency.exponentialRampToValueAtTime(frequency * 0.55, at + length);
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

function prepare() {
  context ??= new AudioContext();
  return context.currentTime + 0.01;
}

// click is a stone on wood.
export function click() {
  const at = prepare();
  knock(at, 1150, 0.05, 0.25);
  knock(at, 420, 0.09, 0.3);
}

// fanfare is a win.
export function fanfare() {
  const at = prepare();
  [523, 659, 784, 1047].forEach((f, i) => knock(at + i * 0.11, f * 1.3, 0.35, 0.16));
}
