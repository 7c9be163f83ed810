// Settings are remembered between visits, if the browser allows it.

const key = 'gomoku.settings';

export const defaults = {
  language: '', // that of the browser
  theme: 'system',
  black: 'person',
  white: 'normal',
  level: 'normal', // the computer's when it was last chosen
  rule: 'freestyle',
  size: 15,
  opening: 'free',
  seconds: 2, // per move of the computer
  clock: 0, // minutes per side, 0: none
  increment: 0, // seconds per move
  coordinates: true,
  numbers: false,
  threats: false,
  fouls: true,
  thinking: true,
  heat: false,
  sound: false,
  confirm: 'auto', // tap twice to play: auto, always, never
  lines: 3, // of the analysis
};

export function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the page works without.
  }
}

// loadSettings returns the settings. What is stored counts if it is of the right kind.
export function loadSettings() {
  const settings = { ...defaults };
  const stored = read(key);
  for (const [name, value] of Object.entries(stored ?? {})) {
    if (name in defaults && typeof value === typeof defaults[name]) settings[name] = value;
  }
  return settings;
}

export const saveSettings = (settings) => remember(key, settings);
