// Compares the time of `replace` with opencode's own function, in one run: node opencode.mjs OPENCODE
//
// OPENCODE is the program that npm installs. It contains its source; the benchmark runs the function from there and
// stores no copy.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';

import * as native from 'fuzzy-edit';
import * as wasm from 'fuzzy-edit/wasm';

/** The end of each line of a text: a string with a character outside Latin-1 takes two bytes for every character. */
const ENDS = { ASCII: '', 'beyond Latin-1': ' // größe → 漢字' };

const LENGTHS = [10_000, 400_000];

/** Returns the limit for the native module as a multiple of opencode's time, if there is one. */
function limit(length, characters, needle, ladder) {
  if (needle === 'absent') return ladder === 'full' ? 0.02 : undefined;
  return characters === 'ASCII' && ladder === 'full' && length === 400_000 ? 1.2 : 1.5;
}

/** The number of rounds. The fastest counts, because other load can only make a round slower. */
const ROUNDS = 25;
const ROUND_US = 12_000;

/** The time between two reads of the clock, which take about half a microsecond. */
const LOOK_US = 100;

/** Returns the processor time of this process in microseconds, without other processes. */
function spent() {
  const { user, system } = process.cpuUsage();
  return user + system;
}

async function opencodes(path) {
  const program = readFileSync(path).toString('latin1');
  const at = program.indexOf('throw Error("Could not find oldString in the file.');
  const around = program.slice(at - 12_000, at + 3_000);
  const start = /\b\w+=0\.65,\w+=0\.65;function/.exec(around);
  const end = around.indexOf('import ', 12_000);
  const name = /function (\w+)\((\w),(\w),(\w),\w=!1\)\{if\(\3===\4\)throw/.exec(around);
  assert.ok(at > 0 && start && end > 0 && name, `${path} has no code that is known here`);
  const source = `var ${around.slice(start.index, end)};export { ${name[1]} as replace };`;
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)).replace;
}

function text(length, end) {
  let text = '';
  for (let part = 0; text.length < length; part++) {
    text += `fn part_${part}(state: &mut State) {\n    state.count += ${part};${end}\n    state.flush();\n    log(${part});\n}\n`;
  }
  return text.slice(0, length);
}

/** Returns the time of a call in the fastest round, in microseconds. */
function best(call) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const batch = Math.ceil(LOOK_US / best) || 1;
    const start = spent();
    let calls = 0;
    do {
      for (let n = 0; n < batch; n++) call();
      calls += batch;
    } while (spent() - start < ROUND_US);
    best = Math.min(best, (spent() - start) / calls);
  }
  return best;
}

const failing = (edit) => () => assert.throws(edit);
const caught = (edit) => () => {
  try {
    edit();
  } catch {}
};

const opencode = await opencodes(process.argv[2]);
const us = (time) => time.toFixed(time < 100 ? 1 : 0);
let missed = 0;
console.log('| characters | kind | needle | opencode, µs | build, ladder | µs | of opencode | at most |');
console.log('|---|---|---|---|---|---|---|---|');
for (const [characters, end] of Object.entries(ENDS)) {
  for (const length of LENGTHS) compare(length, characters, text(length, end));
}
process.exitCode = missed > 0 ? 1 : 0;

/** Measures edits of a text, and prints a row for each. */
function compare(length, characters, content) {
  const from = content.indexOf('\n', length / 2) + 1;
  // Without the last line break, which `adaptive` keeps behind a new text that lacks it.
  const old = content.slice(from, content.indexOf('\n}', from + 20));
  const edits = { exact: [old, `${old} // seen`], absent: ['state.total -= first;\n    state.close();', 'x'] };
  for (const [needle, [old, replacement]] of Object.entries(edits)) {
    const run = needle === 'exact' ? (edit) => edit : caught;
    const theirs = best(run(() => opencode(content, old, replacement)));
    for (const { backend, replace } of [native, wasm]) {
      for (const ladder of ['full', 'adaptive']) {
        const edit = () => replace(content, old, replacement, false, { ladder });
        // Checks the result once before the measurement.
        if (needle === 'exact') assert.equal(edit(), opencode(content, old, replacement));
        else failing(edit)();
        const ours = best(run(edit));
        const ratio = ours / theirs;
        const most = backend === 'native' ? limit(length, characters, needle, ladder) : undefined;
        if (ratio > most) missed += 1;
        const target = most === undefined ? '' : `${most} × ${ratio > most ? 'MISSED' : 'met'}`;
        console.log(
          `| ${length} | ${characters} | ${needle} | ${us(theirs)} | ${backend}, ${ladder} | ${us(ours)} | ${ratio.toFixed(4)} × | ${target} |`,
        );
      }
    }
  }
}
