// The lines of a text, found by number. A text of ten million letters is not split for it.

/** Counts lines as the engine does: after the last line break there is a line only if it has text. */
export function countLines(text) {
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks++;
  return text === '' || text.endsWith('\n') ? breaks : breaks + 1;
}

/** A text and where its lines begin. It takes four bytes a line, and one pass over the text. */
export class Lines {
  #starts;

  constructor(text) {
    this.text = text;
    this.count = countLines(text);
    this.#starts = new Uint32Array(this.count + 1).fill(text.length);
    for (let index = 0, at = 0; index < this.count; index++) {
      this.#starts[index] = at;
      at = text.indexOf('\n', at) + 1;
    }
  }

  /** Returns where the line of this index begins; the length of the text for one after the last. */
  start(index) {
    return this.#starts[Math.min(index, this.count)];
  }

  /** Returns the line of this index without its line break; an empty text for one after the last. */
  line(index) {
    return bare(this.text.slice(this.start(index), this.start(index + 1)));
  }

  /** Returns the lines from one index up to another. */
  slice(from, to) {
    const lines = [];
    for (let index = from; index < Math.min(to, this.count); index++) lines.push(this.line(index));
    return lines;
  }

  /** Returns the index of the line that has this offset. */
  at(offset) {
    let [low, high] = [0, this.count + 1];
    while (high - low > 1) {
      const half = (low + high) >> 1;
      if (this.#starts[half] <= offset) low = half;
      else high = half;
    }
    // The end of a text is in its last line, unless a line break ends that.
    return low === this.count && low > 0 && !this.text.endsWith('\n') ? low - 1 : low;
  }
}

function bare(line) {
  const text = line.endsWith('\n') ? line.slice(0, -1) : line;
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Letters of the part of a long line that the page has. */
export const LONG = 1_000;

/** Cuts a long line, so that the letters around this offset are left. */
export function cut(line, offset = 0) {
  if (line.length <= LONG) return line;
  const from = Math.max(0, Math.min(offset - LONG / 4, line.length - LONG));
  return `${from > 0 ? '…' : ''}${line.slice(from, from + LONG)}${from + LONG < line.length ? '…' : ''}`.toWellFormed();
}
