// What is shown of an answer.

import { count, h, lines, percent } from './dom.js';
import { beside, changes, linesOf, shared, spliced } from './diff.js';

/** Lines around a change that are shown, and pairs around one that differs. */
const AROUND = 3;

/** Rows that a view shows at the most: no one reads more, and the page stays quick. */
const ROWS = 2_000;

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
  empty_needle: 'No old text',
  timeout: 'Took too long',
  too_large: 'Too large',
};

/** Says in a few words what became of an edit: `{kind: 'good' | 'calm' | 'bad', word, where}`. */
export function gist({ explained, error }) {
  if (error) return { kind: 'bad', word: 'Failed', where: error };
  const { answer, place } = explained;
  if (answer.code === 'already_applied') return { kind: 'calm', word: 'Already there', where: '' };
  if (!answer.ok) return { kind: 'bad', word: REASONS[answer.code] ?? answer.code, where: '' };
  const places = answer.splices.length;
  return { kind: 'good', word: 'Landed', where: places > 1 ? `in ${places} places` : place ? `on ${lines(place.lines)}` : '' };
}

/** A line whose blanks at its start can be seen, and with marks: `[[text, class], …]`. */
function code(parts) {
  return h('code', {}, parts.map(([text, kind]) => (kind ? h('mark', { class: kind }, visible(text)) : text)));
}

/** Shows blanks that make a difference; others stay as they are. */
function visible(text) {
  return /^[\s\u200b-\u200f\u2060\ufeff\u00ad]+$/u.test(text) ? [...text].map((sign) => BLANKS[sign] ?? `⟨${sign.codePointAt(0).toString(16)}⟩`).join('') : text;
}

const BLANKS = { ' ': '·', '\t': '→   ', '\u00a0': '⍽', '\r': '␍' };

// ---- The answer at the top ----

/** Shows what became of the edit, and what helps. `use` puts a proposal in, `reveal` shows lines of the file. */
export function outcome({ explained, error, took }, { use, reveal }) {
  if (error) return h('div', { class: 'verdict bad' }, h('h2', {}, 'The engine failed'), h('p', {}, error));
  const { answer, ladder, place, strategies: tried, weighed } = explained;
  const { kind, word, where } = gist({ explained });
  const cost = took === undefined ? '' : ` · ${took < 1 ? '< 1' : Math.round(took)} ms`;
  if (answer.ok && answer.code !== 'already_applied') {
    return h('div', { class: 'verdict good' },
      h('h2', {}, `${word} ${where}`),
      h('p', {}, answer.strategy === 'exact'
        ? ['The old text is there ', h('b', {}, 'as it is'), '.']
        : ['Found by ', h('b', {}, answer.strategy), ', ', h('b', {}, percent(answer.confidence)), ' sure.',
          explained.alignment?.undone.length ? [' Undone in the old text first: ', h('b', {}, explained.alignment.undone.join(', ')), '.'] : '']),
      h('p', { class: 'soft' }, `ladder ${ladder} · ${count(tried.length, 'strategy', 'strategies')}${cost}`),
      place ? h('p', { class: 'actions' }, jump('Show it in the file', place.lines, reveal)) : '');
  }
  const { failure } = answer;
  if (kind === 'calm') {
    return h('div', { class: 'verdict calm' }, h('h2', {}, word), h('p', {}, sentence(failure?.message ?? 'the new text is already there')),
      h('p', {}, failure?.next_step ?? ''));
  }
  const proposal = failure?.proposal ?? answer.proposal;
  return h('div', { class: 'verdict bad' },
    h('h2', {}, word),
    h('p', { class: 'why' }, quoted(sentence(failure?.message ?? answer.code))),
    weighed?.ruled_out ? h('p', {}, h('b', {}, 'Because '), ended(weighed.ruled_out)) : '',
    failure?.next_step ? h('p', { class: 'next' }, h('b', {}, 'Next step: '), quoted(failure.next_step)) : '',
    failure?.ambiguous_at?.length ? h('p', { class: 'actions' },
      failure.ambiguous_at.slice(0, 12).map((at) => jump(capital(lines(at)), at, reveal)),
      failure.count > 12 ? h('span', { class: 'soft' }, `and ${failure.count - 12} more`) : '') : '',
    failure?.conflicts?.length ? h('div', { class: 'proposal' },
      h('h3', {}, 'Which is meant', h('span', { class: 'soft' }, ' - what the file has, + what the new text would put there')),
      failure.conflicts.map((contested) => [
        h('p', { class: 'actions' }, jump(capital(lines(contested.lines)), contested.lines, reveal)),
        plain([['-', contested.keeping], ['+', contested.taking]].flatMap(([sign, text]) =>
          (text === '' ? [] : text.split('\n').map((line) => [sign, line]))))])) : '',
    proposal ? h('div', { class: 'proposal' },
      h('h3', {}, 'Proposed instead', h('span', { class: 'soft' }, ' to be checked before it is sent')),
      plain(beside(linesOf(proposal.old_string), linesOf(proposal.new_string)).map(({ left, right }) => {
        if (right === undefined) return ['-', linesOf(proposal.old_string)[left]];
        return [left === undefined ? '+' : ' ', linesOf(proposal.new_string)[right]];
      })),
      h('p', { class: 'actions' }, h('button', { type: 'button', class: 'primary', id: 'use', click: () => use(proposal) }, 'Use it'))) : '',
    failure?.nearest?.diff ? h('details', { class: 'near', open: !proposal },
      h('summary', {}, `How the old text differs from ${lines(failure.nearest.lines)}`),
      plain(failure.nearest.diff.replace(/\n$/, '').split('\n').map((line) => [/^[-+ ]/.test(line) ? line[0] : ' ', /^[-+ ]/.test(line) ? line.slice(1) : line])),
      h('p', { class: 'soft' }, '− what was asked for, + what the file has; blanks are shown where they differ'),
      h('p', { class: 'actions' }, jump('Show it in the file', failure.nearest.lines, reveal))) : '',
    h('p', { class: 'soft' }, `ladder ${ladder} · code ${answer.code}${answer.rule ? ` · rule ${answer.rule}` : ''}${cost}`));
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const ended = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);
const sentence = (text) => capital(ended(text));
/** Shows what stands between backticks as code. */
const quoted = (text) => text.split(/`([^`]*)`/).map((part, at) => (at % 2 ? h('code', {}, part) : part));
const jump = (text, at, reveal) => h('button', { type: 'button', class: 'small', click: () => reveal(at) }, text);

/** Shows lines with their signs. */
function plain(rows) {
  return h('div', { class: 'code plain', tabindex: '0', role: 'group', 'aria-label': 'Lines with their signs' },
    rows.map(([sign, text]) => h('div', { class: `row ${{ '-': 'gone', '+': 'put' }[sign] ?? ''}` },
      h('span', { class: 'sign' }, sign === '-' ? '−' : sign), h('code', {}, text))));
}

// ---- Result ----

const ORIGINS = {
  file: ['file', 'the file’s own, to the byte'],
  new: ['new', 'the new text’s, perhaps indented as the file is'],
  merged: ['both', 'made of both'],
};

/** Shows the text as the edit leaves it, and of each line that is written whose it is. */
export function result({ explained, error }, texts, { copy, open, answers, ladders }) {
  if (error) return h('p', {}, error);
  const { answer, alignment, weighed } = explained;
  if (!answer.ok) {
    const others = [...answers.values()].filter((other) => other.explained?.answer.ok).length;
    return h('div', {},
      h('div', { class: 'empty' }, h('p', {}, 'The file stays as it is: an edit in the wrong place is worse than none.'),
        h('p', { class: 'actions' },
          h('button', { type: 'button', class: 'small', click: () => open('pairs') }, 'What differs'),
          weighed ? h('button', { type: 'button', class: 'small', click: () => open('weights') }, 'How sure it was') : '',
          others ? h('button', { type: 'button', class: 'small', click: () => open('compare') }, `${others} of ${ladders.length} ladders would land it`) : '')),
      alignment?.lands.length ? [h('h3', {}, 'What would have been written there'), legend(), landed(alignment.lands, texts)] : '');
  }
  if (answer.code === 'already_applied' || answer.splices.length === 0) {
    return h('p', { class: 'empty' }, 'The file already reads as the edit would leave it.');
  }
  const rows = changes(texts.file, answer.splices, texts.new);
  attribute(rows, alignment?.lands ?? [], texts);
  const put = rows.filter(({ kind }) => kind === 'put').length;
  const gone = rows.filter(({ kind }) => kind === 'gone').length;
  return h('div', {},
    h('div', { class: 'head' },
      h('p', { class: 'soft' }, `${count(put, 'line')} written, ${gone} taken away`),
      h('button', { type: 'button', class: 'small', click: () => copy(spliced(texts.file, answer.splices, texts.new)) }, 'Copy the result')),
    legend(),
    table(folded(rows, ({ kind, origin }) => kind === 'same' && !origin), (row) => [
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
function landed(lands, texts) {
  const rows = lands.map((line) => ({ ...line, text: bare(line.text) })).map((line) => ({ ...line, ...origin(line, texts) }));
  return table(rows.slice(0, ROWS), (row) => [
    h('span', { class: 'number' }, row.file_line ?? ''),
    h('span', { class: 'sign' }, '+'),
    code(row.parts ?? [[row.text]]),
    h('span', { class: `origin ${row.origin}`, title: ORIGINS[row.origin][1] }, ORIGINS[row.origin][0]),
  ], () => 'put', 'landed');
}

/** Adds to the lines that a splice covers whose they are: as the engine says, else by which of both texts has them. */
function attribute(rows, lands, texts) {
  const written = rows.filter(({ kind, splice }) => splice !== undefined && kind !== 'gone');
  const told = lands.length === written.length && written.every(({ text }, at) => text === bare(lands[at].text));
  const given = linesOf(texts.new);
  for (const [at, row] of written.entries()) {
    const gone = rows.filter(({ kind, splice }) => kind === 'gone' && splice === row.splice);
    const line = told ? lands[at] : guessed(row, gone, given);
    Object.assign(row, origin({ ...line, text: row.text }, texts));
  }
}

/** A line without the first half of what ends lines in some files. */
const bare = (line) => line.replace(/\r$/, '');

/** Tells whose a line is where the engine does not: under ladders that paste the new text as it was given. */
function guessed(row, gone, given) {
  const squeezed = (text) => text.replace(/\s+/gu, '');
  if (row.kind === 'same') return { text: row.text, origin: 'File', file_line: row.before };
  const at = given.findIndex((line) => squeezed(line) === squeezed(row.text));
  if (at >= 0) return { text: row.text, origin: 'New', file_line: null, new_line: at + 1 };
  // It begins or ends inside a line, so that the file's line is around it.
  return { text: row.text, origin: 'Merged', file_line: gone[0]?.before ?? null, new_line: null };
}

/** Says whose each token of a line is. */
function origin({ text, origin: word, file_line: ours, new_line: theirs }, texts) {
  const kind = word.toLowerCase();
  if (kind === 'file') return { origin: kind };
  const line = (all, number) => (number ? linesOf(all)[number - 1] ?? '' : '');
  const inFile = shared(text, line(texts.file, ours));
  const inNew = theirs ? shared(text, line(texts.new, theirs)) : undefined;
  return {
    origin: kind,
    parts: inFile.map(([token, isInFile], at) => {
      const isInNew = inNew ? inNew[at][1] : kind === 'new' || !isInFile;
      return [token, isInFile === isInNew ? '' : isInFile ? 'of-file' : ours ? 'of-new' : ''];
    }),
  };
}

// ---- Side by side ----

/** Shows the old text beside the lines of the file that it means. */
export function pairs({ explained, error }, texts, { reveal }) {
  if (error) return h('p', {}, error);
  const { alignment, answer, ladder } = explained;
  const rows = alignment ? alignment.rows : paired(explained, texts);
  if (!rows) return h('p', { class: 'empty' }, 'No lines of the file come near the old text.');
  const equal = (row) => row.needle.length === 1 && row.file.length === 1 && row.needle[0].text === row.file[0].text;
  const file = rows.flatMap((row) => row.file.map(({ number }) => number));
  const cut = indentation(rows.flatMap((row) => [...row.needle, ...row.file]).map(({ text }) => text));
  return h('div', {},
    h('div', { class: 'head' },
      h('p', { class: 'soft' }, alignment
        ? 'What pairs with what, as the engine aligned it. Evidence: how much a line proves, 0 to 1; the rarer in the file, the more.'
        : `The ladder ${ladder} does not align lines; this is the old text beside ${answer.ok ? 'the place it took' : 'the nearest lines'}.`),
      file.length ? jump('Show it in the file', [file[0], file.at(-1)], reveal) : ''),
    alignment?.undone.length ? h('p', { class: 'undone' }, 'Undone in the old text before it was read: ', h('b', {}, alignment.undone.join(', '))) : '',
    table(folded(rows, equal).flatMap(split), (row) => [
      h('span', { class: 'number' }, row.needle?.number ?? ''),
      code(row.needle ? marked(row.needle.text.slice(cut), row.file?.text.slice(cut)) : [['']]),
      h('span', { class: 'sign', title: SIGNS[row.sign] }, row.sign),
      h('span', { class: 'number' }, row.file?.number ?? ''),
      code(row.file ? marked(row.file.text.slice(cut), row.needle?.text.slice(cut)) : [['']]),
      h('span', { class: 'figure', title: 'evidence' }, row.evidence === undefined ? '' : row.evidence.toFixed(2)),
      h('span', { class: 'figure', title: 'alike, 0 to 1' }, row.similarity === undefined ? '' : row.similarity.toFixed(2)),
    ], (row) => ({ '=': 'same', '~': 'near', '−': 'gone', '+': 'put' })[row.sign], 'pairs',
    { titles: ['line', 'old text', '±', 'line', 'file', 'evidence', 'alike'], alike: 'the same on both sides' }));
}

const SIGNS = { '=': 'the same', '~': 'alike', '−': 'only in the old text', '+': 'only in the file' };

/** How many blanks all lines begin with alike: shown, they would only take room. */
function indentation(all) {
  const full = all.filter((text) => /\S/.test(text));
  let cut = /^[ \t]*/.exec(full[0] ?? '')[0];
  for (const text of full) while (!text.startsWith(cut)) cut = cut.slice(0, -1);
  return cut.length;
}

/** Pairs the old text with a place line by line where the engine does not. */
function paired({ place, answer }, texts) {
  const at = place?.lines ?? (answer.failure?.nearest ? answer.failure.nearest.lines : undefined);
  if (!at) return undefined;
  const [ours, theirs] = [linesOf(texts.old), linesOf(texts.file).slice(at[0] - 1, at[1])];
  const squeezed = (text) => text.replace(/\s+/gu, '');
  const rows = beside(ours, theirs, (a, b) => squeezed(a) === squeezed(b));
  const numbered = (all, index, from) => (index === undefined ? [] : [{ number: index + from, text: all[index] }]);
  const made = [];
  for (const { left, right } of rows) {
    // A line that only the old text has, and then one that only the file has, are two versions of one line.
    const alone = made.findIndex((row, index) => index >= made.length - 50 && row.file.length === 0 && row.needle.length === 1);
    if (left === undefined && alone >= 0 && made.slice(alone).every((row) => row.file.length === 0 || row.joined)) {
      Object.assign(made[alone], { file: numbered(theirs, right, at[0]), joined: true });
    } else {
      made.push({ needle: numbered(ours, left, 1), file: numbered(theirs, right, at[0]), similarity: null });
    }
  }
  return made;
}

/** Gives each pair as many rows as its longer side has lines. */
function split(row) {
  if (row.folded) return [row];
  const sign = row.file.length === 0 ? '−' : row.needle.length === 0 ? '+'
    : row.needle.length === 1 && row.file.length === 1 && row.needle[0].text === row.file[0].text ? '=' : '~';
  return Array.from({ length: Math.max(row.needle.length, row.file.length) }, (_, at) => ({
    sign,
    needle: row.needle[at],
    file: row.file[at],
    ...(at === 0 && row.needle.length > 0 ? { evidence: row.evidence, similarity: row.similarity ?? undefined } : {}),
  }));
}

function marked(text, other) {
  return other === undefined || text === other ? [[text]] : shared(text, other).map(([token, isShared]) => [token, isShared ? '' : 'differs']);
}

// ---- Confidence ----

/** Shows what made the confidence. */
export function weights({ explained, error }, _texts, { reveal }) {
  if (error) return h('p', {}, error);
  const { weighed, answer, ladder } = explained;
  if (!weighed) {
    return h('p', { class: 'empty' }, answer.strategy === 'exact'
      ? 'The old text occurs in the file as it is, in one place: there is nothing to weigh.'
      : ladder === 'adaptive' ? 'No place was near enough to be weighed.'
        : `The ladder ${ladder} does not weigh places; its confidence is the similarity that its strategy measured. adaptive does.`);
  }
  const { probability, accepted, perfect, features, ruled_out: ruledOut, place } = weighed;
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
    h('p', { class: 'lead' }, `That ${lines(place.lines)} ${place.lines[0] === place.lines[1] ? 'is' : 'are'} meant has a probability of `, enough ? '' : 'only ',
      h('b', {}, percent(probability)), enough ? `; ${percent(accepted)} is enough.` : `; it takes ${percent(accepted)}.`, ' ', jump('Show it in the file', place.lines, reveal)),
    gauge,
    answer.ok && answer.confidence < probability
      ? h('p', { class: 'soft' }, `The answer says ${percent(answer.confidence)}: even at the right place ${percent(1 - answer.confidence / probability)} of the texts were not the ones that were meant, as measured on labelled edits.`) : '',
    ruledOut ? h('p', { class: 'notice bad' }, h('b', {}, 'Ruled out however likely the place is: '), ruledOut) : '',
    h('p', { class: 'soft' }, 'A place without a flaw begins with the first row; what speaks against it is taken away, in log-odds.'),
    h('table', { class: 'weights' },
      h('thead', {}, h('tr', {}, ['feature', 'what it measures', 'value', 'adds', 'as a bar'].map((title) => h('th', { scope: 'col' }, title)))),
      h('tbody', {},
        h('tr', {}, h('th', { scope: 'row' }, 'start'), h('td', {}, 'what a place without a flaw has'), h('td'), h('td', {}, signed(perfect)), h('td', {}, bar(perfect))),
        features.map(({ name, meaning, value, adds }) => h('tr', { class: adds < 0 ? 'against' : '' },
          h('th', { scope: 'row' }, name), h('td', {}, meaning), h('td', {}, figure(value)), h('td', {}, signed(adds)), h('td', {}, bar(adds)))),
        h('tr', { class: 'sum' }, h('th', { scope: 'row' }, 'sum'), h('td', {}, `log-odds; ${signed(Math.log(accepted / (1 - accepted)))} is enough`), h('td'), h('td', {}, signed(odds)), h('td', {}, bar(odds))))));
}

const figure = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(3));
const signed = (value) => `${value < -0.004 ? '−' : value > 0.004 ? '+' : ''}${Math.abs(value).toFixed(2)}`;

// ---- Strategies ----

/** Shows every strategy of every ladder with what it proposes. */
export function strategies(_chosen, _texts, { answers, ladders, ladder, reveal }) {
  return h('div', {},
    h('p', { class: 'soft' }, 'Strategies in the order in which each ladder tries them. Those behind the one that decided are shown too: they are what a stricter or looser order would have met.'),
    ladders.map(({ name, policy, strategies: listed }) => {
      const told = answers.get(name);
      return h('details', { class: 'strategies', open: name === ladder },
        h('summary', {}, h('b', {}, name), h('span', { class: 'soft' }, ` ${policy} · ${count(listed.length, 'strategy', 'strategies')} `), badge(told)),
        told?.explained ? h('ol', {}, told.explained.strategies.map((tried) => strategy(tried, reveal))) : h('p', { class: 'soft' }, told?.error ?? 'not asked yet'));
    }));
}

function strategy({ strategy: name, verdict, why, candidates, more }, reveal) {
  return h('li', { class: verdict },
    h('span', { class: 'name' }, name), h('span', { class: `chip ${verdict}` }, VERDICTS[verdict] ?? verdict), h('span', { class: 'soft' }, why),
    candidates.length ? h('ul', { class: 'candidates' },
      candidates.slice(0, 10).map(({ lines: at, bytes, similarity }) => h('li', {}, jump(capital(lines(at)), at, reveal),
        h('span', { class: 'soft' }, ` similarity ${similarity.toFixed(3)} · bytes ${bytes[0]}–${bytes[1]}`))),
      candidates.length > 10 || more ? h('li', { class: 'soft' }, `and ${more ? 'at least ' : ''}${candidates.length - Math.min(10, candidates.length) + (more ? 1 : 0)} more`) : '') : '');
}

function badge(told) {
  if (!told) return h('span', { class: 'chip' }, '…');
  const { kind, word, where } = gist(told);
  return h('span', { class: `chip ${kind}` }, word, where ? ` ${where}` : '');
}

// ---- Ladders ----

/** Shows what each ladder would have done, side by side. */
export function compare(_chosen, texts, { answers, ladders, ladder, choose }) {
  const outputs = new Map();
  for (const [name, { explained }] of answers) {
    if (explained?.answer.ok) outputs.set(name, spliced(texts.file, explained.answer.splices, texts.new));
  }
  // Each text that is written is shown once.
  const first = new Map();
  for (const name of [ladder, ...outputs.keys()]) {
    const output = outputs.get(name);
    if (output !== undefined && !first.has(output)) first.set(output, name);
  }
  const writes = (name) => {
    const { answer } = answers.get(name).explained;
    const shown = first.get(outputs.get(name));
    if (shown !== name) return ['the same as ', h('b', {}, shown)];
    return answer.splices.length === 0 ? 'nothing, it is there already' : 'this:';
  };
  const isFirst = (name) => outputs.has(name) && first.get(outputs.get(name)) === name && answers.get(name).explained.answer.splices.length > 0;
  return h('div', {},
    h('p', { class: 'soft' }, `${outputs.size} of ${ladders.length} ladders land this edit, and write ${count(first.size, 'different text').replace('1 different', 'the same')}. Not every text that lands is the one that was meant.`),
    h('div', { class: 'wide', tabindex: '0', role: 'group', 'aria-label': 'Table of ladders' },
      h('table', { class: 'compare' },
        h('thead', {}, h('tr', {}, ['ladder', 'what it does', 'found by', 'sure', 'writes'].map((title) => h('th', { scope: 'col', class: ['found by', 'sure'].includes(title) ? 'by' : undefined }, title)))),
        h('tbody', {}, ladders.map(({ name, policy }) => {
          const told = answers.get(name);
          const answer = told?.explained?.answer;
          return [h('tr', { class: `${name === ladder ? 'chosen' : ''} ${isFirst(name) ? 'first' : ''}` },
            h('th', { scope: 'row' }, h('button', { type: 'button', class: 'small', click: () => choose(name) }, name), h('span', { class: 'soft' }, policy)),
            h('td', {}, badge(told)),
            answer?.ok
              ? [h('td', { class: 'by' }, answer.strategy ?? ''), h('td', { class: 'by short' }, answer.confidence === undefined ? '' : percent(answer.confidence)), h('td', {}, writes(name))]
              : h('td', { colspan: '3', class: 'soft' }, quoted(answer?.failure?.message ?? ''))),
          isFirst(name) ? h('tr', { class: name === ladder ? 'chosen' : '' }, h('td', { colspan: '5' }, written(texts, answer))) : ''];
        })))));
}

/** Shows the lines that a ladder takes away and puts, the first of them. */
function written(texts, { splices }) {
  const all = changes(texts.file, splices, texts.new).filter(({ kind }) => kind !== 'same');
  const more = all.length > 12 ? h('span', { class: 'soft' }, `and ${count(all.length - 12, 'line')} more`) : '';
  return h('span', { class: 'mini' }, all.slice(0, 12).map(({ kind, text }) => h('code', { class: kind }, `${kind === 'put' ? '+' : '−'} ${text}`)), more);
}

// ---- Tables of lines ----

/** Leaves out what is far from any row of interest. */
function folded(rows, isDull) {
  const keep = new Uint8Array(rows.length);
  let any = false;
  rows.forEach((row, at) => {
    if (isDull(row)) return;
    any = true;
    keep.fill(1, Math.max(0, at - AROUND), at + AROUND + 1);
  });
  if (!any) keep.fill(1, 0, 2 * AROUND);
  const shown = [];
  for (let at = 0; at < rows.length && shown.length < ROWS; ) {
    if (keep[at]) {
      shown.push(rows[at++]);
      continue;
    }
    const from = at;
    while (at < rows.length && !keep[at]) at++;
    // One line takes no more room than what says that it is left out.
    if (at - from === 1) shown.push(rows[from]);
    else shown.push({ folded: at - from });
  }
  if (shown.length >= ROWS) shown.push({ folded: 'more' });
  return shown;
}

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
