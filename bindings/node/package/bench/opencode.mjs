// Times `replace` beside opencode's own, in one run: node opencode.mjs OPENCODE
//
// OPENCODE is the program as npm installs it, which holds its source. The part that replaces is taken from there and
// kept nowhere.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';

import * as native from 'fuzzy-edit';
import * as wasm from 'fuzzy-edit/wasm';

/** What each line of a text ends with: a string with a character outside Latin-1 has two bytes for each of them. */
const ENDS = { ASCII: '', 'beyond Latin-1': ' // größe → 漢字' };

const LENGTHS = [10_000, 400_000];

/** Returns the most that an edit may take by Node's own module, in times of opencode's, if that is limited. */
function limit(length, characters, needle, ladder) {
  if (needle === 'absent') return ladder === 'full' ? 0.02 : undefined;
  return characters === 'ASCII' && ladder === 'full' && length === 400_000 ? 1.2 : 1.5;
}

/** Rounds of which the best counts: the rest of the machine only makes a round longer. */
const ROUNDS = 25;
const ROUND_US = 12_000;

/** Time between two looks at the clock, which cost about half a microsecond. */
const LOOK_US = 100;

/** Returns the microseconds that the processor spent on this process: other processes do not count. */
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

/** Returns the microseconds that a call takes in the best round. */
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

/** Times edits of a text, and prints a row for each. */
function compare(length, characters, content) {
  const from = content.indexOf('\n', length / 2) + 1;
  const old = content.slice(from, content.indexOf('}', from + 20));
  const edits = { exact: [old, `${old} // seen`], absent: ['state.total -= first;\n    state.close();', 'x'] };
  for (const [needle, [old, replacement]] of Object.entries(edits)) {
    const run = needle === 'exact' ? (edit) => edit : caught;
    const theirs = best(run(() => opencode(content, old, replacement)));
    for (const { backend, replace } of [native, wasm]) {
      for (const ladder of ['full', 'adaptive']) {
        const edit = () => replace(content, old, replacement, false, { ladder });
        // Checked once before it is timed.
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
