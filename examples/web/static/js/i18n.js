// Words in the language of the reader: a file per language in lang.
import codes from '../lang/index.js';
import english from '../lang/en.js';

export const languages = codes;
let words = english;
let code = 'en';

// preferred returns the first of the browser's languages that there is.
function preferred() {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const found = codes.find((c) => tag.toLowerCase().split('-')[0] === c);
    if (found) return found;
  }
  return 'en';
}

// speak changes the language; '' is the browser's.
export async function speak(wanted) {
  code = codes.includes(wanted) ? wanted : preferred();
  words = code === 'en' ? english : (await import(`../lang/${code}.js`)).default;
  document.documentElement.lang = words.tag;
}

export async function nameOf(language) {
  return (await import(`../lang/${language}.js`)).default.name;
}

// t returns a text, with {names} replaced by values.
export function t(key, values = {}) {
  const text = words.texts[key] ?? english.texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

// has tells whether there is such a text.
export const has = (key) => key in english.texts;

// number writes a number as the language does.
export const number = (value, options) => new Intl.NumberFormat(words.tag, options).format(value);

// translate fills in the texts of elements: data-t is the key of the content,
// data-t-NAME that of an attribute.
export function translate(root = document) {
  for (const element of root.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const name of ['label', 'title', 'placeholder']) {
    for (const element of root.querySelectorAll(`[data-t-${name}]`)) {
      const attribute = name === 'label' ? 'aria-label' : name;
      element.setAttribute(attribute, t(element.getAttribute(`data-t-${name}`)));
    }
  }
}
