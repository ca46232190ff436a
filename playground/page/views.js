// Renders the digests of answers that `digest.js` makes.

import { capital, count, h, lines, percent } from './dom.js';
import { beside, isBlank, linesOf } from './diff.js';

/** Lines with signs at most. */
const ROWS = 500;

const VERDICTS = {
  nothing: 'nothing',
  taken: 'taken',
  ended: 'ended the search',
  not_unique: 'not unique',
  passed_over: 'passed over',
  not_reached: 'not reached',
};

const REASONS = {
  not_found: 'Not found',
  ambiguous: 'Ambiguous',
  refused: 'Refused',
  conflict: 'In conflict',
  identical: 'Nothing to do',
  timeout: 'Took too long',
  too_large: 'Too large',
};

/** Says in a few words what became of an edit: `{kind: 'good' | 'calm' | 'bad' | 'idle', word, where}`. */
export function gist({ explained, places, error, isEmpty }) {
  if (error) return { kind: 'bad', word: 'Failed', where: error };
  const { answer, place } = explained;
  if (answer.code === 'already_applied') return { kind: 'calm', word: 'Already there', where: '' };
  if (isEmpty) return { kind: 'idle', word: 'No old text', where: 'yet' };
  if (!answer.ok) return { kind: 'bad', word: REASONS[answer.code] ?? answer.code, where: '' };
  return { kind: 'good', word: 'Landed', where: places > 1 ? `in ${places} places` : place ? `on ${lines(place.lines)}` : '' };
}

/** A line whose blanks at its start can be seen, and with marks: `[[text, class], …]`. */
function code(parts) {
  return h('code', {}, parts.map(([text, kind]) => (kind ? h('mark', { class: kind }, visible(text)) : text)));
}

/** Shows blanks that make a difference; others stay as they are. */
function visible(text) {
  return isBlank(text) ? [...text].map((sign) => BLANKS[sign] ?? `⟨${sign.codePointAt(0).toString(16)}⟩`).join('') : text;
}

const BLANKS = { ' ': '·', '\t': '→   ', '\u00a0': '⍽', '\r': '␍' };

// ---- The answer at the top ----

/** Shows what became of the edit, and what helps. `use` puts a proposal in, `reveal` shows lines of the file. */
export function outcome(digest, { use, reveal }) {
  const { explained, error, took } = digest;
  if (error) return h('div', { class: 'verdict bad' }, h('h2', {}, 'The engine failed'), h('p', {}, error));
  const { answer, ladder, place, strategies: tried, weighed, undone } = explained;
  const { kind, word, where } = gist(digest);
  const cost = took === undefined ? '' : ` · ${took < 1 ? '< 1' : Math.round(took)} ms`;
  if (answer.ok && answer.code !== 'already_applied') {
    return h('div', { class: 'verdict good' },
      h('h2', {}, `${word} ${where}`),
      h('p', {}, answer.strategy === 'exact'
        ? ['The old text occurs ', h('b', {}, 'exactly'), '.']
        : ['Found by ', h('b', {}, answer.strategy), weighed ? [', ', h('b', {}, percent(answer.confidence)), ' sure.'] : '.',
          undone.length ? [' Undone: ', h('b', {}, undone.join(', ')), '.'] : '']),
      h('p', { class: 'soft' }, `ladder ${ladder} · ${count(tried.length, 'strategy', 'strategies')}${cost}`),
      place ? h('p', { class: 'actions' }, jump('Show it in the file', place.lines, reveal)) : '');
  }
  const { failure } = answer;
  if (kind === 'idle') {
    return h('div', { class: 'verdict idle' }, h('h2', {}, `${word} ${where}`), h('p', {}, 'Enter a file, the old text that a model quotes from it, and its replacement; or choose an example.'));
  }
  if (kind === 'calm') {
    return h('div', { class: 'verdict calm' }, h('h2', {}, word), h('p', {}, sentence(failure?.message ?? 'the new text is already there')),
      h('p', {}, failure?.next_step ?? ''));
  }
  const { proposal } = failure ?? {};
  return h('div', { class: 'verdict bad' },
    h('h2', {}, word),
    h('p', { class: 'why' }, quoted(sentence(failure?.message ?? answer.code))),
    weighed?.ruled_out ? h('p', {}, h('b', {}, 'Because '), ended(weighed.ruled_out)) : '',
    failure?.next_step ? h('p', { class: 'next' }, h('b', {}, 'Next step: '), quoted(failure.next_step)) : '',
    failure?.ambiguous_at?.length ? h('p', { class: 'actions' },
      failure.ambiguous_at.slice(0, 12).map((at) => jump(capital(lines(at)), at, reveal)),
      failure.count > 12 ? h('span', { class: 'soft' }, `and ${failure.count - 12} more`) : '') : '',
    failure?.conflicts?.length ? h('div', { class: 'proposal' },
      h('h3', {}, 'Conflict', h('span', { class: 'soft' }, ' − the file, + the new text')),
      failure.conflicts.map((contested) => [
        h('p', { class: 'actions' }, jump(capital(lines(contested.lines)), contested.lines, reveal)),
        plain([['-', contested.keeping], ['+', contested.taking]].flatMap(([sign, text]) =>
          (text === '' ? [] : text.split('\n').map((line) => [sign, line]))))])) : '',
    proposal ? h('div', { class: 'proposal' },
      h('h3', {}, 'Proposed instead', h('span', { class: 'soft' }, ' check it before you send it')),
      plain(beside(linesOf(proposal.old_string), linesOf(proposal.new_string)).map(({ left, right }) => {
        if (right === undefined) return ['-', linesOf(proposal.old_string)[left]];
        return [left === undefined ? '+' : ' ', linesOf(proposal.new_string)[right]];
      })),
      h('p', { class: 'actions' }, h('button', { type: 'button', class: 'primary', id: 'use', click: () => use(proposal) }, 'Use it'))) : '',
    failure?.nearest?.diff ? h('details', { class: 'near', open: !proposal },
      h('summary', {}, `How the old text differs from ${lines(failure.nearest.lines)}`),
      plain(marked(failure.nearest.diff.replace(/\n$/, '').split('\n').map((line) => [/^[-+ ]/.test(line) ? line[0] : ' ', /^[-+ ]/.test(line) ? line.slice(1) : line]))),
      h('p', { class: 'soft' }, '− the old text, + the file; whitespace is visible where only it differs'),
      h('p', { class: 'actions' }, jump('Show it in the file', failure.nearest.lines, reveal))) : '',
    h('p', { class: 'soft' }, `ladder ${ladder} · code ${answer.code}${answer.rule ? ` · rule ${answer.rule}` : ''}${cost}`));
}

const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
const sentence = (text) => capital(ended(text));
/** Renders the text between backticks as code. */
const quoted = (text) => text.split(/`([^`]*)`/).map((part, at) => (at % 2 ? h('code', {}, part) : part));
const jump = (text, at, reveal) => h('button', { type: 'button', class: 'small', click: () => reveal(at) }, text);

/** Shows lines with their signs. */
/** Makes the blanks visible of a line and the one that replaces it, if they differ in nothing else. */
function marked(rows) {
  const squeezed = (text) => text.replace(/\s+/g, '');
  const isPair = (at) => rows[at]?.[0] === '-' && rows[at + 1]?.[0] === '+' && squeezed(rows[at][1]) === squeezed(rows[at + 1][1]);
  return rows.map(([sign, text], at) => [sign, isPair(at) || isPair(at - 1) ? text.replace(/\s/g, visible) : text]);
}

function plain(rows) {
  return h('div', { class: 'code plain', tabindex: '0', role: 'group', 'aria-label': 'Lines with their signs' },
    rows.slice(0, ROWS).map(([sign, text]) => h('div', { class: `row ${{ '-': 'gone', '+': 'put' }[sign] ?? ''}` },
      h('span', { class: 'sign' }, sign === '-' ? '−' : sign), h('code', {}, text))),
    rows.length > ROWS ? h('div', { class: 'row fold' }, h('span', {}, `⋯ and ${count(rows.length - ROWS, 'line')} more`)) : '');
}

// ---- Result ----

const ORIGINS = {
  file: ['file', 'the file’s own, to the byte'],
  new: ['new', 'the new text’s, indented as the file where needed'],
  merged: ['both', 'made of both'],
};

/** Shows the text as the edit leaves it, and of each line that is written whose it is. */
export function result({ explained, isEmpty, error, places, result: written, landed: lands }, { copyResult, open, answers, ladders }) {
  if (error) return h('p', {}, error);
  const { answer, weighed } = explained;
  if (isEmpty) return h('p', { class: 'empty' }, 'The result appears here.');
  if (!answer.ok) {
    const others = [...answers.values()].filter((other) => other.explained?.answer.ok).length;
    return h('div', {},
      h('div', { class: 'empty' }, h('p', {}, 'The file is unchanged: an edit in the wrong place is worse than none.'),
        h('p', { class: 'actions' },
          h('button', { type: 'button', class: 'small', click: () => open('pairs') }, 'Differences'),
          weighed ? h('button', { type: 'button', class: 'small', click: () => open('weights') }, 'Confidence') : '',
          others ? h('button', { type: 'button', class: 'small', click: () => open('compare') }, `${others} of ${ladders.length} ladders would land it`) : '')),
      lands ? [h('h3', {}, 'The text that was not written'), legend(), landed(lands)] : '');
  }
  if (answer.code === 'already_applied' || places === 0) {
    return h('p', { class: 'empty' }, 'The file already has the result of this edit.');
  }
  return h('div', {},
    h('div', { class: 'head' },
      h('p', { class: 'soft' }, `${count(written.put, 'line')} added, ${written.gone} removed`),
      h('button', { type: 'button', class: 'small', click: copyResult }, 'Copy the result')),
    legend(),
    table(written.rows, (row) => [
      h('span', { class: 'number' }, row.before ?? ''),
      h('span', { class: 'number' }, row.after ?? ''),
      h('span', { class: 'sign' }, { gone: '−', put: '+', same: '' }[row.kind]),
      code(row.parts ?? [[row.text]]),
      row.origin ? h('span', { class: `origin ${row.origin}`, title: ORIGINS[row.origin][1] }, ORIGINS[row.origin][0]) : h('span'),
    ], (row) => row.kind, 'result'));
}

function legend() {
  return h('p', { class: 'legend' }, 'Each line that lands is ',
    Object.entries(ORIGINS).map(([kind, [word, meaning]]) => [h('span', { class: `origin ${kind}` }, word), ` ${meaning}; `]),
    'within it ', h('mark', { class: 'of-file' }, 'only in the file'), ' and ', h('mark', { class: 'of-new' }, 'only in the new text'), '.');
}

/** Shows lines that would land. */
function landed(rows) {
  return table(rows, (row) => [
    h('span', { class: 'number' }, row.file_line ?? ''),
    h('span', { class: 'sign' }, '+'),
    code(row.parts ?? [[row.text]]),
    h('span', { class: `origin ${row.origin}`, title: ORIGINS[row.origin][1] }, ORIGINS[row.origin][0]),
  ], () => 'put', 'landed');
}

// ---- Side by side ----

/** Shows the old text beside the lines of the file that it means. */
export function pairs({ explained, error, pairs: paired }, { reveal }) {
  if (error) return h('p', {}, error);
  const { answer, ladder, undone } = explained;
  if (!paired) return h('p', { class: 'empty' }, 'No lines of the file resemble the old text.');
  return h('div', {},
    h('div', { class: 'head' },
      h('p', { class: 'soft' }, paired.isAligned
        ? 'The lines as the engine paired them. Evidence, from 0 to 1, is higher for lines that are rare in the file.'
        : `The ladder ${ladder} does not align lines; here the page shows the old text beside ${answer.ok ? 'the place' : 'the nearest lines'}.`),
      paired.lines ? jump('Show it in the file', paired.lines, reveal) : ''),
    undone.length ? h('p', { class: 'undone' }, 'Undone: ', h('b', {}, undone.join(', '))) : '',
    table(paired.rows, (row) => [
      h('span', { class: 'number' }, row.old?.number ?? ''),
      code(row.old?.parts ?? [['']]),
      h('span', { class: 'sign', title: SIGNS[row.sign] }, row.sign),
      h('span', { class: 'number' }, row.file?.number ?? ''),
      code(row.file?.parts ?? [['']]),
      h('span', { class: 'figure', title: 'evidence' }, row.evidence === undefined ? '' : row.evidence.toFixed(2)),
      h('span', { class: 'figure', title: 'alike, 0 to 1' }, row.similarity === undefined ? '' : row.similarity.toFixed(2)),
    ], (row) => ({ '=': 'same', '~': 'near', '−': 'gone', '+': 'put' })[row.sign], 'pairs',
    { titles: ['line', 'old text', '±', 'line', 'file', 'evidence', 'alike'], alike: 'the same on both sides' }));
}

const SIGNS = { '=': 'the same', '~': 'alike', '−': 'only in the old text', '+': 'only in the file' };

// ---- Confidence ----

/** Shows what made the confidence. */
export function weights({ explained, error }, { reveal }) {
  if (error) return h('p', {}, error);
  const { weighed, answer, ladder } = explained;
  if (!weighed) {
    return h('p', { class: 'empty' }, answer.strategy === 'exact'
      ? 'The old text occurs exactly, in one place: its probability is 1.'
      : ladder === 'adaptive' ? 'No place resembles the old text enough for a probability.'
        : `The ladder ${ladder} has no confidence. Only adaptive computes a probability.`);
  }
  const { probability, accepted, perfect, features, repairs, ruled_out: ruledOut, place } = weighed;
  const enough = probability >= accepted;
  const gauge = h('div', { class: `gauge ${enough ? 'good' : 'bad'}`, role: 'img', 'aria-label': `${percent(probability)}, where ${percent(accepted)} is enough` }, h('span'), h('i'));
  gauge.firstChild.style.width = `${probability * 100}%`;
  gauge.lastChild.style.left = `${accepted * 100}%`;
  const span = Math.max(perfect, ...features.map(({ adds }) => -adds), 1);
  const bar = (adds) => {
    const inner = h('span', { class: adds < 0 ? 'less' : 'more' });
    inner.style.width = `${(Math.abs(adds) / span) * 100}%`;
    return h('span', { class: 'bar', 'aria-hidden': 'true' }, inner);
  };
  const odds = features.reduce((sum, { adds }) => sum + adds, perfect);
  return h('div', {},
    h('p', { class: 'lead' }, `The probability that ${lines(place.lines)} ${place.lines[0] === place.lines[1] ? 'is' : 'are'} the intended place is `, enough ? '' : 'only ',
      h('b', {}, percent(probability)), enough ? `; ${percent(accepted)} is enough.` : `; ${percent(accepted)} is needed.`, ' ', jump('Show it in the file', place.lines, reveal)),
    gauge,
    answer.ok && answer.confidence < probability
      ? h('p', { class: 'soft' }, `The confidence of the answer is ${percent(answer.confidence)}: on labelled edits ${percent(1 - answer.confidence / probability)} of the texts at the right place were not the intended ones.`) : '',
    repairs.length ? h('p', { class: 'soft' }, 'Repaired: ', repairs.map(({ name, right }) => `${name} (${percent(right)} right)`).join(', '), '.') : '',
    ruledOut ? h('p', { class: 'notice bad' }, h('b', {}, 'Ruled out at any probability: '), ruledOut) : '',
    h('p', { class: 'soft' }, 'In log-odds. A flawless place has the first row; the features subtract from it.'),
    h('table', { class: 'weights' },
      h('thead', {}, h('tr', {}, ['feature', 'meaning', 'value', 'adds', 'bar'].map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {},
        h('tr', {}, h('th', { scope: 'row' }, 'start'), h('td', {}, 'a flawless place'), h('td'), h('td', {}, signed(perfect)), h('td', {}, bar(perfect))),
        features.map(({ name, meaning, value, adds }) => h('tr', { class: adds < 0 ? 'against' : '' },
          h('th', { scope: 'row' }, name), h('td', {}, meaning), h('td', {}, figure(value)), h('td', {}, signed(adds)), h('td', {}, bar(adds)))),
        h('tr', { class: 'sum' }, h('th', { scope: 'row' }, 'sum'), h('td', {}, `log-odds; ${signed(Math.log(accepted / (1 - accepted)))} is enough`), h('td'), h('td', {}, signed(odds)), h('td', {}, bar(odds))))));
}

const figure = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(3));
const signed = (value) => `${value < -0.004 ? '−' : value > 0.004 ? '+' : ''}${Math.abs(value).toFixed(2)}`;

// ---- Strategies ----

/** Shows every strategy of every ladder with what it proposes. */
export function strategies(_chosen, { answers, ladders, ladder, reveal }) {
  return h('div', {},
    h('p', { class: 'soft' }, 'The strategies of each ladder, in order. The list goes on after the strategy that decided.'),
    ladders.map(({ name, policy, strategies: listed }) => {
      const digest = answers.get(name);
      return h('details', { class: 'strategies', open: name === ladder },
        h('summary', {}, h('b', {}, name), h('span', { class: 'soft' }, ` ${policy} · ${count(listed.length, 'strategy', 'strategies')} `), badge(digest)),
        digest?.explained ? h('ol', {}, digest.explained.strategies.map((tried) => strategy(tried, reveal))) : h('p', { class: 'soft' }, digest?.error ?? 'no answer yet'));
    }));
}

function strategy({ strategy: name, verdict, why, candidates, others, more }, reveal) {
  return h('li', { class: verdict },
    h('span', { class: 'name' }, name), h('span', { class: `chip ${verdict}` }, VERDICTS[verdict] ?? verdict), h('span', { class: 'soft' }, why),
    candidates.length ? h('ul', { class: 'candidates' },
      candidates.map(({ lines: at, bytes, similarity }) => h('li', {}, jump(capital(lines(at)), at, reveal),
        h('span', { class: 'soft' }, ` similarity ${similarity.toFixed(3)} · bytes ${bytes[0]}–${bytes[1]}`))),
      others ? h('li', { class: 'soft' }, `and ${more ? 'at least ' : ''}${others} more`) : '') : '');
}

function badge(digest) {
  if (!digest) return h('span', { class: 'chip' }, '…');
  const { kind, word, where } = gist(digest);
  return h('span', { class: `chip ${kind}` }, word, where ? ` ${where}` : '');
}

// ---- Ladders ----

/** Shows what each ladder would have done, side by side. */
export function compare(_chosen, { answers, ladders, ladder, choose }) {
  const outputs = new Map([...answers].filter(([, { output }]) => output !== undefined).map(([name, { output }]) => [name, output]));
  // Each result is displayed once.
  const first = new Map();
  for (const name of [ladder, ...outputs.keys()]) {
    const output = outputs.get(name);
    if (output !== undefined && !first.has(output)) first.set(output, name);
  }
  const writes = (name) => {
    const same = first.get(outputs.get(name));
    if (same !== name) return ['the same as ', h('b', {}, same)];
    return answers.get(name).places === 0 ? 'unchanged, already applied' : 'this:';
  };
  const isFirst = (name) => outputs.has(name) && first.get(outputs.get(name)) === name && answers.get(name).places > 0;
  return h('div', {},
    h('p', { class: 'soft' }, `${outputs.size} of ${ladders.length} ladders land this edit, and write ${count(first.size, 'different text').replace('1 different', 'the same')}. Not every one of them is the intended text.`),
    h('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Table of ladders' },
      h('table', { class: 'compare' },
        h('thead', {}, h('tr', {}, ['ladder', 'answer', 'found by', 'confidence', 'result'].map((title) => h('th', { scope: 'col', class: ['found by', 'confidence'].includes(title) ? 'by' : undefined }, title)))),
        h('tbody', {}, ladders.map(({ name, policy }) => {
          const digest = answers.get(name);
          const answer = digest?.explained?.answer;
          return [h('tr', { class: `${name === ladder ? 'chosen' : ''} ${isFirst(name) ? 'first' : ''}` },
            h('th', { scope: 'row' }, h('button', { type: 'button', class: 'small', click: () => choose(name) }, name), h('span', { class: 'soft' }, policy)),
            h('td', {}, badge(digest)),
            answer?.ok
              ? [h('td', { class: 'by' }, answer.strategy ?? ''), h('td', { class: 'by short' }, digest.explained.weighed ? percent(answer.confidence) : ''), h('td', {}, writes(name))]
              : h('td', { colspan: '3', class: 'soft' }, quoted(answer?.failure?.message ?? ''))),
          isFirst(name) ? h('tr', { class: name === ladder ? 'chosen' : '' }, h('td', { colspan: '5' }, written(digest.beside))) : ''];
        })))));
}

/** Shows the first of the lines that a ladder takes away and puts. */
function written({ rows, more }) {
  return h('span', { class: 'mini' }, rows.map(({ kind, text }) => h('code', { class: kind }, `${kind === 'put' ? '+' : '−'} ${text}`)),
    more ? h('span', { class: 'soft' }, `and ${count(more, 'line')} more`) : '');
}

// ---- Tables of lines ----

/** Lays out rows of lines; a screen reader hears a table. */
function table(rows, cells, kind, layout, { titles, alike = 'unchanged' } = {}) {
  const row = (content, name) => h('div', { class: `row ${name}`, role: 'row' }, content.map((cell) => (cell.setAttribute('role', 'cell'), cell)));
  return h('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Lines' },
    h('div', { class: `code ${layout}`, role: 'table' },
      titles ? h('div', { class: 'row titles', role: 'row' }, titles.map((title) => h('span', { role: 'columnheader' }, title))) : '',
      rows.map((each) => (each.folded
        ? h('div', { class: 'row fold', role: 'row' }, h('span', { role: 'cell' }, each.folded === 'more' ? '⋯ and more' : `⋯ ${count(each.folded, 'line')} ${alike}`))
        : row(cells(each), kind(each))))));
}
