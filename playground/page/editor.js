// A text field with numbered lines, some of which are marked. The field itself is an ordinary one.
//
// If a text is too large for a field, the editor shows a read-only part of it.

import { words } from './colours.js';
import { h } from './dom.js';
import { countLines } from './lines.js';

/** Height of a line and the room above the first one, in pixels; the same as in the style sheet. */
const LINE = 20;
const ABOVE = 8;

/** One text field in its pane. */
export class Editor {
  #root;
  #field;
  #numbers;
  #bands;
  #marks = [];
  #colours;
  #language;
  /** The words of each line in the field, if they have colours. */
  #words;
  /** The number of the first line in the field, and how many there are. */
  #first = 1;
  #lines = 0;

  /**
   * `changed` is called after each change. `takes` is called before a text is pasted or dropped, with the text and what
   * is before and after it, and returns whether the field takes it; nothing is after it where its place is not known.
   */
  constructor(root, changed, takes) {
    this.#root = root;
    this.#field = root.querySelector('textarea');
    this.#numbers = root.querySelector('.gutter pre');
    this.#bands = root.querySelector('.bands');
    this.#colours = root.querySelector('.colours pre');
    this.#field.addEventListener('input', () => {
      this.#lines = countLines(this.value);
      this.#paint();
      changed();
    });
    // The browser would take seconds to lay out a large paste or drop.
    const added = { paste: 'clipboardData', drop: 'dataTransfer' };
    for (const [name, source] of Object.entries(added)) {
      this.#field.addEventListener(name, (event) => {
        const text = event[source]?.getData('text/plain') ?? '';
        const { value, selectionStart, selectionEnd, readOnly } = this.#field;
        if (readOnly || text === '') return;
        // Where a text is dropped is known only after the browser has put it there.
        const [before, after] = name === 'paste' ? [value.slice(0, selectionStart), value.slice(selectionEnd)] : [value, undefined];
        if (!takes(text, before, after)) event.preventDefault();
      });
    }
    this.#field.addEventListener('scroll', () => this.#follow(), { passive: true });
    new ResizeObserver(() => this.#follow()).observe(this.#field);
  }

  get value() {
    return this.#field.value;
  }

  set value(text) {
    this.#set(text, 1, countLines(text), false);
  }

  /** Shows so many lines of a larger text, the first of which has this number. */
  part({ text, first, lines }) {
    this.#set(text, first, lines, true);
  }

  focus() {
    this.#field.focus();
  }

  /** Gives the words the colours of this language; none without one. */
  colour(language) {
    this.#language = language;
    this.#paint();
  }

  /** Marks lines: `[{lines: [first, last], kind}]`. */
  mark(marks) {
    this.#marks = marks;
    const end = this.#first + this.#lines - 1;
    this.#bands.replaceChildren(
      ...marks.filter(({ lines: [first, last] }) => first <= end && last >= this.#first).map(({ lines, kind }) => {
        const [first, last] = [Math.max(lines[0], this.#first), Math.min(lines[1], end)];
        const band = h('div', { class: `band ${kind}` });
        // Through the object model, which the policy lets pass; an attribute it would not.
        band.style.top = `${ABOVE + (first - this.#first) * LINE}px`;
        band.style.height = `${(last - first + 1) * LINE}px`;
        return band;
      }),
    );
    this.#follow();
  }

  /** Scrolls so that lines are seen; returns whether they are in the field. */
  reveal([first, last]) {
    if (first < this.#first || first >= this.#first + Math.max(1, this.#lines)) return false;
    const { clientHeight, scrollTop } = this.#field;
    const [from, to] = [(first - this.#first) * LINE, (last - this.#first + 1) * LINE + 2 * ABOVE];
    if (from < scrollTop || to > scrollTop + clientHeight) {
      const top = (from + to - clientHeight) / 2 < from ? (from + to - clientHeight) / 2 : from - LINE;
      // The edge of the field cuts no line.
      this.#field.scrollTop = top <= ABOVE ? 0 : ABOVE + Math.floor((top - ABOVE) / LINE) * LINE;
    }
    this.#follow();
    return true;
  }

  #set(text, first, lines, isPart) {
    this.#field.value = text;
    this.#field.readOnly = isPart;
    this.#root.classList.toggle('part', isPart);
    [this.#first, this.#lines] = [first, lines];
    this.#field.scrollTo(0, 0);
    this.mark(this.#marks);
    this.#paint();
  }

  /** Finds the words that have colours. The field itself has one colour: its text is transparent over the coloured one. */
  #paint() {
    this.#words = words(this.value, this.#language);
    this.#root.classList.toggle('coloured', this.#words !== undefined);
    this.#follow();
  }

  /** Moves the marks with the text; numbers and colours the lines that are seen. */
  #follow() {
    const { scrollLeft, scrollTop, clientHeight } = this.#field;
    const from = Math.max(0, Math.floor((scrollTop - ABOVE) / LINE));
    const to = Math.min(this.#lines, Math.ceil((scrollTop + clientHeight) / LINE));
    this.#numbers.textContent = Array.from({ length: Math.max(0, to - from) }, (_, at) => this.#first + from + at).join('\n');
    this.#numbers.style.transform = `translateY(${from * LINE - scrollTop}px)`;
    this.#bands.style.transform = `translateY(${-scrollTop}px)`;
    this.#colours.style.transform = `translate(${-scrollLeft}px, ${from * LINE - scrollTop}px)`;
    const seen = this.#words?.slice(from, to) ?? [];
    this.#colours.replaceChildren(...seen.flatMap((line) => [...line.map(([text, kind]) => (kind ? h('span', { class: kind }, text) : text)), '\n']));
  }
}
