// Small helpers to build elements.

// el makes an element with properties and children. A property with a dash, or of
// "role" and "class", is an attribute; on* are listeners.
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name.includes('-') || name === 'role' || name === 'class') element.setAttribute(name, value === true ? '' : value);
    else element[name] = value;
  }
  element.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

const namespace = 'http://www.w3.org/2000/svg';

// svg makes an SVG element with attributes.
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(namespace, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export const byId = (id) => document.getElementById(id);

// download offers data as a file.
export function download(name, data, type) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const toBase64 = (bytes) => {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
};

export const fromBase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
