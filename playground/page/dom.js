// Makes elements. Texts become text nodes and never markup.

/** Makes an element with attributes (functions listen) and children. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false || value === null) continue;
    if (typeof value === 'function') element.addEventListener(key, value);
    else if (key === 'class') element.className = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Returns the element of an id. */
export const id = (name) => document.getElementById(name);

/** Says lines as people do: `line 7`, `lines 7–1,009`. */
export function lines([first, last]) {
  const [from, to] = [first, last].map((number) => number.toLocaleString('en'));
  return first === last ? `line ${from}` : `lines ${from}–${to}`;
}

/** Writes a count with its noun. */
export const count = (number, noun, nouns = `${noun}s`) => `${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`;

/** Writes a probability so that one that is not certain does not look so. */
export function percent(share) {
  if (share >= 1) return '100 %';
  if (share > 0.9995) return '> 99.9 %';
  if (share > 0 && share < 0.0005) return '< 0.1 %';
  return `${(share * 100).toFixed(1)} %`;
}

/** Writes bytes as people do. */
export const megabytes = (bytes) => `${(bytes / (1 << 20)).toFixed(1)} MB`;

/** Begins a text with a capital letter. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
