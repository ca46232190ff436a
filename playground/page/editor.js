// A text field with numbered lines, some of which are marked. The field itself is an ordinary one.

import { h } from './dom.js';

/** Height of a line and the room above the first one, in pixels; the same as in the style sheet. */
const LINE = 20;
const ABOVE = 8;

/** Numbers that a gutter shows; whoever edits more lines than this finds their way without. */
const NUMBERED = 200_000;

/** One text field in its pane. */
export class Editor {
  #field;
  #numbers;
  #bands;
  #lines = 0;

  constructor(root, changed) {
    this.#field = root.querySelector('textarea');
    this.#numbers = root.querySelector('.gutter pre');
    this.#bands = root.querySelector('.bands');
    this.#field.addEventListener('input', () => {
      this.#number();
      changed();
    });
    this.#field.addEventListener('scroll', () => this.#follow(), { passive: true });
  }

  get value() {
    return this.#field.value;
  }

  set value(text) {
    this.#field.value = text;
    this.#field.scrollTo(0, 0);
    this.#number();
  }

  focus() {
    this.#field.focus();
  }

  /** Marks lines: `[{lines: [first, last], kind}]`. */
  mark(marks) {
    this.#bands.replaceChildren(
      ...marks.map(({ lines: [first, last], kind }) => {
        const band = h('div', { class: `band ${kind}` });
        // Through the object model, which the policy lets pass; an attribute it would not.
        band.style.top = `${ABOVE + (first - 1) * LINE}px`;
        band.style.height = `${(last - first + 1) * LINE}px`;
        return band;
      }),
    );
    this.#follow();
  }

  /** Scrolls so that the lines are seen. */
  reveal([first, last]) {
    const { clientHeight, scrollTop } = this.#field;
    const [from, to] = [(first - 1) * LINE, last * LINE + 2 * ABOVE];
    if (from < scrollTop || to > scrollTop + clientHeight) {
      this.#field.scrollTop = Math.max(0, (from + to - clientHeight) / 2 < from ? (from + to - clientHeight) / 2 : from - LINE);
    }
    this.#follow();
  }

  #number() {
    let lines = 1;
    for (let at = this.value.indexOf('\n'); at >= 0; at = this.value.indexOf('\n', at + 1)) lines++;
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#numbers.textContent = Array.from({ length: Math.min(lines, NUMBERED) }, (_, at) => at + 1).join('\n');
    this.#follow();
  }

  #follow() {
    const { scrollTop } = this.#field;
    this.#numbers.style.transform = `translateY(${-scrollTop}px)`;
    this.#bands.style.transform = `translateY(${-scrollTop}px)`;
  }
}
