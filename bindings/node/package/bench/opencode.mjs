// Times `replace` beside opencode's own, in one run: node opencode.mjs OPENCODE
//
// OPENCODE is the program as npm installs it, which holds its source. The part that replaces is taken from there and
// kept nowhere.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import process from 'node:process';

import * as native from 'fuzzy-edit';
import * as wasm from 'fuzzy-edit/wasm';

/** Most that an edit may take, in times of opencode's: where the old text is there exactly, and where it is nowhere. */
const TARGETS = { 10_000: [1.5, 0.02], 400_000: [1.2, 0.02] };

/** Rounds of which the best counts: whatever else runs on the machine only makes a round longer. */
const ROUNDS = 25;
const ROUND_MS = 12;

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

function text(length) {
  let text = '';
  for (let part = 0; text.length < length; part++) {
    text += `fn part_${part}(state: &mut State) {\n    state.count += ${part};\n    state.flush();\n    log(${part});\n}\n`;
  }
  return text.slice(0, length);
}

/** Returns the microseconds that a call takes in the best round. */
function best(call) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    let calls = 0;
    do {
      call();
      calls += 1;
    } while (performance.now() - start < ROUND_MS);
    best = Math.min(best, ((performance.now() - start) / calls) * 1_000);
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
console.log('| text | needle | opencode | build, ladder | µs | of opencode | at most |');
console.log('|---|---|---|---|---|---|---|');
for (const [length, targets] of Object.entries(TARGETS)) {
  const content = text(Number(length));
  const from = content.indexOf('\n', length / 2) + 1;
  const old = content.slice(from, content.indexOf('}', from + 20));
  const edits = { exact: [old, `${old} // seen`], absent: ['state.total -= first;\n    state.close();', 'x'] };
  Object.entries(edits).forEach(([needle, [old, replacement]], which) => {
    const run = which === 0 ? (edit) => edit : caught;
    const theirs = best(run(() => opencode(content, old, replacement)));
    for (const { backend, replace } of [native, wasm]) {
      for (const ladder of ['full', 'adaptive']) {
        const edit = () => replace(content, old, replacement, false, { ladder });
        // Checked once before it is timed.
        if (which === 0) assert.equal(edit(), opencode(content, old, replacement));
        else failing(edit)();
        const ours = best(run(edit));
        const most = backend === 'native' && ladder === 'full' ? targets[which] : undefined;
        const ratio = ours / theirs;
        if (ratio > most) missed += 1;
        const target = most === undefined ? '' : `${most} × ${ratio > most ? 'MISSED' : 'met'}`;
        console.log(`| ${length} | ${needle} | ${us(theirs)} | ${backend}, ${ladder} | ${us(ours)} | ${ratio.toFixed(4)} × | ${target} |`);
      }
    }
  });
}
process.exitCode = missed > 0 ? 1 : 0;
