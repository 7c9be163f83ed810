// Scores and figures as text.
import { t, number } from './i18n.js';

// scoreText is a score as people read it: a number, or the moves to the end.
export function scoreText(score) {
  if (score.mate !== undefined) {
    return t(score.mate > 0 ? 'score.win' : 'score.loss', { n: Math.abs(score.mate) });
  }
  return number(score.value, { signDisplay: 'exceptZero', maximumFractionDigits: 0 });
}

const chanceScale = 400; // evaluator units that multiply the odds by e

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
  return t('figures', {
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
    text: c.bound === 'upper' ? '' : c.score.mate !== undefined ? (c.score.mate > 0 ? `+${c.score.mate}` : `−${-c.score.mate}`) : scoreText(c.score),
  }));
}
