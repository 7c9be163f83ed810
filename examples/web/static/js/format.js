// Scores and figures as text.
import { t, number } from './i18n.js';

const surest = 20_000_000; // won or lost as far as the search looked, not proven

// scoreText is a score as people read it: a number, or the moves to the end.
export function scoreText(score) {
  if (score.mate !== undefined) {
    return t(score.mate > 0 ? 'score.win' : 'score.loss', { n: Math.abs(score.mate) });
  }
  if (Math.abs(score.value) >= surest) return t(score.value > 0 ? 'score.won' : 'score.lost');
  return number(score.value, { signDisplay: 'exceptZero', maximumFractionDigits: 0 });
}

// scoreMark is a score on a point of the board, as the pictures have it.
function scoreMark({ value, mate }) {
  if (mate !== undefined) return mate > 0 ? `W${mate}` : `L${-mate}`;
  if (Math.abs(value) >= surest) return value > 0 ? 'W?' : 'L?';
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  const size = Math.abs(value);
  return sign + (size < 1000 ? size : `${(size / 1000).toFixed(size < 9950 ? 1 : 0)}k`);
}

const chanceScale = 490; // evaluator units that multiply the odds by e: measured with examples/analyze -fit

// chance is the mover's chance of winning, 0 to 1, as a score has it.
export function chance(score) {
  if (score.mate !== undefined) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.value / chanceScale));
}

// figures says how far a search has come.
export function figures(thought) {
  if (thought.stop === 'book') return t('figures.book');
  const compact = { notation: 'compact', maximumFractionDigits: 1 };
  const speed = thought.ms > 0 ? (1000 * thought.nodes) / thought.ms : 0;
  return t(thought.ms < 50 ? 'figures.short' : 'figures', {
    depth: thought.depth,
    seldepth: thought.seldepth,
    nodes: number(thought.nodes, compact),
    speed: number(speed, compact),
  });
}

// heat makes marks of the candidates of a search: the warmest is the best.
export function heat(thought) {
  const best = thought.candidates.reduce((m, c) => Math.max(m, chance(c.score)), 0);
  return thought.candidates.slice(0, 24).map((c) => ({
    point: c.point,
    warmth: Math.max(0, 1 - 2.5 * (best - chance(c.score))) * (c.bound === 'upper' ? 0.6 : 1),
    text: c.bound === 'upper' ? '' : scoreMark(c.score),
  }));
}
