// Code that is only type-checked, with all strict options. A line after `@ts-expect-error` must not compile.

import {
  type Answer, type Code, type EditOptions, type LadderName, type Located, type Patched, type Refused,
  Doc, EditError, apply, applyPatch, backend, compare, diff, explain, ladders, loadPatches, locate, replace,
  open,
} from 'fuzzy-edit';
import * as wasm from 'fuzzy-edit/wasm';

const file = 'let a = 1;\n';

const answer: Answer = apply(file, 'a = 1', 'a = 2');
apply(file, { first: 'a = 1', last: 'b', expectedLines: 2, new: 'a = 2' }, { ladder: 'full' });
if (answer.ok) {
  const output: string = answer.output;
  const places: number[] = answer.splices.map(({ start, end, text }) => start + end + text.length);
  if (answer.code === 'already_applied') {
    const said: string = answer.message + answer.nextStep;
    // @ts-expect-error The answer has no strategy.
    const strategy: string = answer.strategy;
    console.log(said, strategy);
  } else {
    const sure: number = answer.confidence * answer.similarity;
    const by: string = answer.strategy;
    console.log(output, places, sure, by, answer.note?.length);
  }
  // @ts-expect-error An applied edit has no rule.
  console.log(answer.rule);
} else {
  const code: Code = answer.code;
  const said: string = `${answer.message}. ${answer.nextStep}`;
  const { rule, refusal, nearest, conflicts, proposal, ambiguousAt, count, tried, lost } = answer;
  console.log(code, said, rule, refusal, nearest?.diff, conflicts?.[0]?.taking, ambiguousAt, count, tried, lost);
  if (proposal) apply(file, proposal.oldString, proposal.newString);
  // @ts-expect-error There is no new text.
  const output: string = answer.output;
  // @ts-expect-error A refusal has no confidence.
  console.log(output, answer.confidence);
}

// @ts-expect-error `ok` was not checked, so the new text may be missing.
const unchecked: string = answer.output;
// @ts-expect-error `ok` was not checked, so the message may be missing.
const message: string = answer.message;
const kept: string = answer.output ?? file;
console.log(unchecked, message, kept);

// `ok` also narrows destructured variables.
const { ok, output, nextStep } = apply(file, 'a = 1', 'a = 2');
const text: string = ok ? output : nextStep;
console.log(text);

function retry(refused: Refused): string {
  switch (refused.code) {
    case 'ambiguous':
      return `${refused.count ?? 0} places`;
    case 'conflict':
      return (refused.conflicts ?? []).map(({ keeping, taking }) => keeping + taking).join('\n');
    default:
      return refused.nextStep;
  }
}
console.log(answer.ok ? answer.output : retry(answer));

const options: EditOptions = { ladder: 'full', replaceAll: true, fitEndings: false, minConfidence: 0.9, budget: 1_000_000 };
apply(file, 'a', 'b', options);
// @ts-expect-error This option does not exist.
apply(file, 'a', 'b', { replace_all: true });
// @ts-expect-error This ladder does not exist.
apply(file, 'a', 'b', { ladder: 'fastest' });
// @ts-expect-error The options are the fourth argument.
apply(file, 'a', 'b', true, {});
// @ts-expect-error A new text is missing.
apply(file, 'a');
// @ts-expect-error The options of `replace` follow `replaceAll`.
replace(file, 'a', 'b', { ladder: 'full' });
// @ts-expect-error Only `compare` has the option `ladders`.
apply(file, 'a', 'b', { ladders: ['full'] });
// @ts-expect-error `compare` has no option `ladder`.
compare(file, 'a', 'b', { ladder: 'full' });

try {
  const made: string = replace(file, 'a', 'b', false, { ladder: 'full', onReport: (report) => console.log(report.ok && report.output) });
  console.log(made);
} catch (error) {
  // @ts-expect-error The type of the value is unknown.
  console.log(error.code);
  if (error instanceof EditError) console.log(error.code.length, error.rule?.length, error.report?.nextStep);
}

const located: Located = locate(file, 'a', { replaceAll: true });
if (located.ok) console.log(located.places.map(({ lines: [first, last] }) => last - first), located.occurrences);
else console.log(located.message.length, located.nextStep);
// @ts-expect-error `ok` was not checked, so the message may be missing.
console.log(locate(file, 'a', 'b').message.length);

const explained = explain(file, 'a', 'b');
console.log(explained.answer.ok && explained.answer.output, explained.place?.start, explained.strategies[0]?.why);

for (const compared of compare(file, 'a', 'b', { ladders: ['full', 'adaptive'] })) {
  const name: LadderName = compared.ladder;
  console.log(name, compared.ok ? compared.output : compared.message);
}

await loadPatches();
const patched: Patched = applyPatch({ 'a.txt': file }, 'patch', { target: 'a.txt' });
if (patched.ok) console.log(patched.changed.length);
else console.log(patched.message.length, patched.code);
// @ts-expect-error The patch may have deleted the file.
const changed: string = patched.files['a.txt'];
console.log(changed);

const doc = new Doc(file);
const again: Answer = doc.apply('a', 'b', { replaceAll: true });
// @ts-expect-error The text of a document is read-only.
doc.content = 'b';
doc.free();

const engine: 'native' | 'wasm' = backend;
const both: typeof apply = wasm.apply;
console.log(again.ok, engine, both, ladders()[0]?.strategies, diff('a.txt', file, kept).length);
// @ts-expect-error The constructor is private.
console.log(new EditError());

const files = open('.', { minConfidence: 0.5 });
async function ofFiles(): Promise<string> {
  const text: string = await files.read('a');
  const edited = await files.apply({ path: 'a', first: 'b', last: 'c', moveTo: { path: 'd' } }, { dryRun: true });
  const undone = await files.undo(undefined, { dryRun: true });
  await files.multiEdit([{ path: 'a', old: 'b', new: 'c', line: 3 }, { path: 'a', cell: 1, deleteCell: true }]);
  // @ts-expect-error The new text is missing.
  await files.apply({ path: 'a', old: 'b' });
  // @ts-expect-error An edit has a path.
  await files.apply({ old: 'b', new: 'c' });
  // @ts-expect-error No edit has this key.
  await files.apply({ path: 'a', oldText: 'b', new: 'c' });
  // @ts-expect-error The line is a number.
  await files.apply({ path: 'a', old: 'b', new: 'c', line: '3' });
  // @ts-expect-error A list is an array.
  await files.multiEdit({ path: 'a', old: 'b', new: 'c' });
  // @ts-expect-error No option has this name.
  await files.patch('p', { dry: true });
  // @ts-expect-error The answer is a promise.
  files.read('a').length;
  // @ts-expect-error Only some answers have a message.
  edited.message.length;
  // @ts-expect-error A batch is named by a text.
  await files.undo(1);
  // @ts-expect-error No ladder has this name.
  open('.', { ladder: 'none' });
  return text + edited.forModel + undone.files.map(({ filePath, action }) => filePath + action).join();
}
console.log(ofFiles);
