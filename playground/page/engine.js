// The engine in WebAssembly: a request is a header of numbers and three texts, an answer is JSON.

import { quoted } from './case.js';

const HEADER = 32;

/** Asks for what every strategy of a ladder makes of an edit, and why. */
const EXPLAIN = 3;

const REPLACE_ALL = 1;
const FIT_ENDINGS = 2;
const HAS_NEW = 4;
const NAMED = 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The engine, over a compiled module. It keeps the last file. */
export class Engine {
  #exports;
  #module;
  #file;
  #number;

  constructor(module) {
    this.#module = module;
    this.#start();
    this.ladders = JSON.parse(this.#read(this.#exports.ladders()));
  }

  #start() {
    this.#exports = new WebAssembly.Instance(this.#module, {}).exports;
    this.#file = undefined;
  }

  #read(length) {
    const start = this.#exports.reply() >>> 0;
    return decoder.decode(new Uint8Array(this.#exports.memory.buffer, start, length >>> 0));
  }

  /** Says what the ladder of this name makes of a case, and in what time, or which error there was. */
  answer(texts, ladder, budget) {
    const started = performance.now();
    try {
      const number = this.ladders.findIndex(({ name }) => name === ladder);
      const explained = this.#explain(texts, number, budget);
      if (explained.error) throw new Error(explained.error);
      return { explained, took: performance.now() - started };
    } catch (error) {
      return { error: error.message };
    }
  }

  /** Asks the ladder of this number; no more steps are spent than the budget has. */
  #explain({ file, old, new: replacement, all, place }, ladder, budget) {
    try {
      if (file !== this.#file) this.#open(file);
      const quote = quoted(old, place);
      this.#write(['', quote ?? old, replacement], ladder, { all, isNamed: quote !== undefined }, budget);
      return JSON.parse(this.#read(this.#exports.ask(this.#number)));
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      // It ran out of memory or stack. What it holds now cannot be relied on.
      this.#start();
      throw new Error(`the engine ran out of memory (${error.message})`, { cause: error });
    }
  }

  /** Keeps a file in place of the one before. */
  #open(file) {
    if (this.#file !== undefined) this.#exports.close(this.#number);
    this.#file = undefined;
    this.#write([file, '', ''], 0, {}, 0);
    this.#number = this.#exports.open();
    this.#file = file;
  }

  #write(texts, ladder, { all = false, isNamed = false }, budget) {
    const parts = texts.map((text) => encoder.encode(text));
    const length = parts.reduce((sum, part) => sum + part.length, HEADER);
    // Making room may move the memory, so that it is looked up after that.
    const start = this.#exports.room(length) >>> 0;
    const request = new Uint8Array(this.#exports.memory.buffer, start, length);
    const view = new DataView(request.buffer, request.byteOffset, HEADER);
    view.setUint8(0, EXPLAIN);
    view.setUint8(1, (all ? REPLACE_ALL : 0) | FIT_ENDINGS | HAS_NEW | (isNamed ? NAMED : 0));
    view.setUint8(2, ladder);
    view.setUint8(3, 0);
    parts.forEach((part, at) => view.setUint32(4 + 4 * at, part.length, true));
    view.setFloat64(16, 0, true);
    view.setBigUint64(24, BigInt(budget), true);
    let at = HEADER;
    for (const part of parts) {
      request.set(part, at);
      at += part.length;
    }
  }
}
