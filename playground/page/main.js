// The page: sends texts to the worker, and displays its answers.

import { answered, compiled, listed, opened } from './boot.js';
import {
  DEFAULT, LARGEST, LETTERS, LargeFile, WHERE, WHOLE, broken, cellsOf, fits, named, ofExample, texts, tooLarge,
} from './case.js';
import { NAMES, guess, load } from './colours.js';
import { command, testCase } from './copies.js';
import { capital, count, h, id, lines as linesIn, megabytes } from './dom.js';
import { Editor } from './editor.js';
import { countLines } from './lines.js';
import { LONGEST, encode } from './link.js';
import { compare, gist, outcome, pairs, result, strategies, weights } from './views.js';

/** Milliseconds after which a question that a newer one overtook is given up. */
const PATIENCE = 1500;

/** Milliseconds after which the page says what it waits for, and between two times that it does. */
const SILENCE = 300;
const OFTEN = 100;

const VIEWS = { result, pairs, weights, strategies, compare };

/** The case as a link holds it; a file too large for a field is a `LargeFile`. */
const current = { file: '', old: '', new: '', all: false, ladder: DEFAULT, endings: 'lf', place: WHOLE };

/** The ladders, and their answers to the case of this number. */
const known = { ladders: [], answers: new Map(), number: 0, since: 0 };

let view = 'result';
let examples = [];
let example;
let worker;

/** A large file that the worker reads before it takes the place of the one that is there. */
let opening;

const editors = Object.fromEntries(['file', 'old', 'new'].map((name) => [
  name, new Editor(id(`editor-${name}`), () => edited(name), (...parts) => takes(name, ...parts)),
]));

// ---- Asking ----

/** Starts a worker, and sends it the engine. */
function employ() {
  const mine = new Worker('worker.js', { type: 'module' });
  mine.onmessage = ({ data }) => {
    if (mine !== worker) return;
    if (data.key !== undefined) hear(data);
    else if (data.id !== undefined) results.get(data.id)?.(data);
    else if (data.number === known.number) take(data);
  };
  mine.onerror = () => failed('the worker could not be started');
  // A failed compilation is reported with the next question.
  compiled.then((module) => mine.postMessage({ module }), () => undefined);
  return mine;
}

/** Sends the case to the worker, which leaves out known answers. */
function pass() {
  const { number } = known;
  worker ??= employ();
  // The module precedes these messages.
  compiled.then(() => {
    if (number !== known.number) return;
    worker.postMessage({ number, ladder: current.ladder, isKnown: known.answers.has(current.ladder), texts: texts(current) });
  }, failed);
}

/** Gives the worker something else to do than the case. */
function send(errand) {
  worker ??= employ();
  worker.postMessage(errand);
}

function failed(why) {
  rest();
  id('outcome').ariaBusy = 'false';
  id('outcome').replaceChildren(
    h('div', { class: 'verdict bad' }, h('h2', {}, 'The engine did not load'), h('p', {}, why.message ?? why),
      h('p', {}, h('b', {}, 'Next step: '), 'Load the page again. If this does not help, check that the server has engine.wasm and worker.js.')));
}

/** A link may be from a page that has other ladders. */
function checkLadder() {
  if (known.ladders.length > 0 && !known.ladders.some(({ name }) => name === current.ladder)) current.ladder = DEFAULT;
}

function ask() {
  const isLate = known.number > 0 && !known.answers.has(current.ladder) && performance.now() - known.since > PATIENCE;
  known.number += 1;
  known.since = performance.now();
  known.answers = new Map();
  // Until there is an answer, the page has the one to the case before.
  id('outcome').ariaBusy = 'true';
  const why = broken(current);
  if (why) {
    rest();
    take({ ladder: current.ladder, error: why });
    return;
  }
  if (isLate && !opening) {
    // It works on a case that is not current any more.
    worker?.terminate();
    worker = undefined;
  }
  pass();
  wait();
}

// ---- Waiting ----

let waiting;

/** Says after a moment what the page waits for, and updates it. */
function wait() {
  clearInterval(waiting);
  const started = performance.now();
  waiting = setInterval(() => {
    const silence = performance.now() - started;
    const what = opening ?? (current.file.isRead === false ? current.file : undefined);
    const left = known.ladders.length - known.answers.size;
    if (!what && left <= 0) {
      rest();
    } else if (silence > SILENCE) {
      const seconds = `${(silence / 1000).toFixed(1)} s`;
      if (id('progress').hidden) id('heard').textContent = what ? `Reading ${what.name}` : 'Searching';
      id('progress').hidden = false;
      id('progress').textContent = what ? `Reading ${what.name}: ${megabytes(what.read ?? 0)} of ${megabytes(what.blob.size)}, ${seconds}`
        : known.answers.has(current.ladder) ? `Trying the other ladders, ${left} left, ${seconds}` : `Searching with ${current.ladder}, ${seconds}`;
    }
  }, OFTEN);
}

/** Waits for nothing any more. */
function rest() {
  clearInterval(waiting);
  id('progress').hidden = true;
}

function take(answer) {
  known.answers.set(answer.ladder, answer);
  if (answer.part && answer.part.key === current.file.key) showPart(answer.part);
  showLadders();
  if (answer.ladder === current.ladder) show();
  else if (tellsOfOthers()) showView();
}

/** Whether the view has answers of other ladders; one that has none is not rendered again for each. */
function tellsOfOthers() {
  const isRefused = known.answers.get(current.ladder)?.explained?.answer.ok === false;
  return view === 'compare' || view === 'strategies' || (view === 'result' && isRefused);
}

// ---- Actions ----

let saving;

/** Takes what a field has now, and asks about it. */
function edited(name) {
  const { value } = editors[name];
  const cells = name === 'file' && cellsOf(value);
  if (cells) return showCells(cells);
  if (name === 'file') opening = undefined;
  if (name === 'file' && !fits(value)) {
    hold(value);
    return;
  }
  current[name] = value;
  if (name === 'file') showFile();
  isOwn();
  colour();
  changed();
}

/** Says that the case is not the example any more. */
function isOwn() {
  id('notice').hidden = true;
  example = undefined;
  id('example').value = '';
  id('story').replaceChildren();
}

/**
 * Says whether a field takes a text between two others. One that it does not hold is refused before the browser lays it
 * out; as a file it goes to the worker.
 */
function takes(name, text, before, after) {
  const all = before + text + (after ?? '');
  if (fits(all)) return true;
  if (name === 'file' && (after !== undefined || before === '')) hold(all);
  else complain(`Not taken: ${tooLarge(name, all)}.`);
  return false;
}

/** Takes a text as the file that no field holds. */
async function hold(text, name = 'the text') {
  // One letter takes a byte at least.
  if (text.length > LARGEST) return tooLong(name, text.length);
  const mine = (opening = { name, blob: new Blob(), read: 0 });
  wait();
  const file = await LargeFile.of(text, name);
  // Another file was opened meanwhile.
  if (opening !== mine) return;
  openLarge(file);
}

function tooLong(name, size) {
  complain(`Not opened: ${name} has ${megabytes(size)}; the limit is ${megabytes(LARGEST)}. The command \`fuzzy-edit explain\` takes larger files.`);
}

/** Has the worker read a file; it takes the place of the one that is there if it is a text. */
function openLarge(file) {
  if (file.blob.size > LARGEST) {
    opening = undefined;
    return tooLong(file.name, file.blob.size);
  }
  opening = file;
  send({ read: { key: file.key, blob: file.blob } });
  wait();
}

/** Hears from the worker of a large file: how much of it is read, what it is, or a part of it. */
function hear({ key, read, facts, part, refused }) {
  const file = opening?.key === key ? opening : current.file.key === key ? current.file : undefined;
  if (!file) return;
  if (read !== undefined) file.read = read;
  if (refused) {
    if (file === opening) opening = undefined;
    complain(`${file.name} ${refused}.`);
  }
  if (facts) {
    Object.assign(file, facts, { isRead: true });
    if (file === opening) {
      opening = undefined;
      isOwn();
      put({ file, endings: 'lf' });
      changed();
      say(`${file.name} is opened.`);
    }
    showFile();
  }
  if (part) showPart(part);
}

/** Shows a part of the large file. */
function showPart(part) {
  editors.file.part(part);
  colour();
  id('part-bar').hidden = false;
  const last = part.first + part.lines - 1;
  id('part').textContent = `${capital(linesIn([part.first, last]))} of ${part.all.toLocaleString('en')}. A part of a large file, read only.`;
  id('earlier').disabled = part.first === 1;
  id('later').disabled = last >= part.all;
  visible = [part.first, last];
  editors.file.reveal(looked);
}

/** The lines of the large file in the field, and those to scroll to. */
let visible = [1, 1];
let looked = [1, 1];

function askPart(lines) {
  send({ part: { key: current.file.key, lines } });
}

function changed() {
  ask();
  keep();
}

/** Lets the address follow, so that a reload keeps what was typed. */
function keep() {
  clearTimeout(saving);
  saving = setTimeout(async () => {
    // A large file fits into no link.
    if (current.file instanceof LargeFile) return;
    const fragment = isExample() ? `example=${example.id}` : await encode(current);
    if (fragment.length <= LONGEST) address(fragment);
  }, 400);
}

function isExample() {
  const { all = false, ladder = DEFAULT, endings = 'lf' } = example ?? {};
  return example !== undefined && current.place.where === 'whole' && current.all === all && current.ladder === ladder && current.endings === endings;
}

function address(fragment) {
  if (location.hash.slice(1) !== fragment) history.replaceState(null, '', `#${fragment}`);
}

/** Puts a whole case in. */
function put(what) {
  if (what.file !== undefined) opening = undefined;
  Object.assign(current, what);
  for (const name of ['file', 'old', 'new']) {
    if (current[name] instanceof LargeFile) continue;
    // A field has no other line ends than this.
    current[name] = current[name].replace(/\r\n?/g, '\n');
    if (name === 'file' && !fits(current.file)) {
      // From a link: the worker reads it with the next question.
      current.file = new LargeFile(new Blob([texts(current).file]), 'the file');
      editors.file.value = '';
    } else if (name !== 'file' && !fits(current[name])) {
      // The answer says so.
      editors[name].value = '';
    } else {
      editors[name].value = current[name];
    }
  }
  id('all').checked = current.all;
  id('endings').value = current.endings;
  id('last').value = current.place.last;
  id('numbers').value = current.place.numbers;
  showPlace();
  showFile();
  colour();
}

let colouring;

/** The language that was chosen, or the name of the opened file, which may have one. */
const spoken = { language: undefined, file: undefined };

/** Colours the fields by the language of the file, or of the old text where there is no file. */
function colour() {
  clearTimeout(colouring);
  const mine = (colouring = setTimeout(async () => {
    const name = spoken.language ?? guess(editors.file.value || current.old, spoken.file);
    id('language').value = name;
    await load(name);
    if (mine !== colouring) return;
    for (const editor of Object.values(editors)) editor.colour(name);
  }, 100));
}

/** Forgets the language of the case before. */
function speak(file) {
  Object.assign(spoken, { language: undefined, file });
}

/** The cells of the notebook that the file is one of. */
let cells = [];

/** Takes a notebook: the file is the cell that has a line of the old text, or the first one. */
function showCells(found) {
  // Nearly all notebooks are in Python; a cell alone may not show it.
  speak('.py');
  const lines = current.old.split('\n').map((line) => line.trim()).filter(Boolean);
  const at = found.findIndex(({ source }) => lines.some((line) => source.includes(line)));
  cells = found;
  id('cell').replaceChildren(...cells.map(({ name }, value) => h('option', { value }, name)));
  id('cell-bar').hidden = false;
  showCell(Math.max(0, at));
}

function showCell(at) {
  id('cell').value = at;
  put({ file: cells[at].source, endings: 'lf' });
  isOwn();
  changed();
}

function choose(ladder) {
  current.ladder = ladder;
  showLadders();
  if (known.answers.has(ladder)) show();
  else ask();
  keep();
}

function use({ old_string: old, new_string: replacement }) {
  put({ old: old.replaceAll('\r\n', '\n'), new: replacement.replaceAll('\r\n', '\n'), place: WHOLE });
  isOwn();
  changed();
  id('outcome').focus();
  say('The proposal is in the fields.');
}

/** Empties every field. */
function begin() {
  id('notice').hidden = true;
  bring({ what: { file: '', old: '', new: '', all: false, ladder: DEFAULT, endings: 'lf', place: WHOLE } });
  changed();
  editors.file.focus();
  say('All fields are empty.');
}

/** Scrolls the file so that lines are seen; of a large one it may take another part. */
function look(at) {
  looked = at;
  if (!editors.file.reveal(at) && current.file instanceof LargeFile) askPart(at);
}

function reveal(at) {
  look(at);
  id('editor-file').scrollIntoView({ block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
}

/** Copies a text, or one that is still made; the browser asks for it while the click counts. */
async function copy(text, words = 'Copied.') {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text);
    else await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
    say(words);
    return true;
  } catch {
    say('The browser does not let this page write to the clipboard.');
    return false;
  }
}

const results = new Map();
let lastResult = 0;

/** Copies the text as the chosen ladder's edit leaves it, which the worker writes: the page need not have it. */
function copyResult() {
  const number = ++lastResult;
  const made = new Promise((resolve, reject) => {
    results.set(number, ({ blob, error }) => {
      results.delete(number);
      if (blob) resolve(blob);
      else reject(new Error(error));
    });
  });
  send({ result: { id: number, ladder: current.ladder, texts: texts(current) } });
  return copy(made);
}

/** Copies the case in another form. */
function copyAs(form) {
  if (current.file instanceof LargeFile) return say('A file this large cannot be copied. Leave out lines that lie far from the edit.');
  if (form === testCase && current.place.where !== 'whole') return say('A test case has a whole old text.');
  const answer = known.answers.get(current.ladder)?.explained?.answer;
  const name = example?.title ?? 'from the playground';
  return copy(form({ ...texts(current), ladder: current.ladder }, { name, ok: answer?.ok === true }));
}

async function copyLink() {
  if (current.file instanceof LargeFile) {
    linker('A file this large fits into no link. Leave out lines that lie far from the edit.');
    return;
  }
  const fragment = await encode(current);
  const link = new URL(`#${fragment}`, location.href).href;
  if (fragment.length > LONGEST) {
    linker(`The link would have ${fragment.length.toLocaleString('en')} letters, and more than ${LONGEST.toLocaleString('en')} do not fit into an issue. Leave out lines of the file that lie far from the edit.`);
    return;
  }
  address(fragment);
  if (await copy(link, 'The link is copied. It holds the whole case.')) {
    const button = id('copy-link');
    button.textContent = 'Copied';
    setTimeout(() => (button.textContent = 'Copy link'), 1600);
  } else {
    linker('Copy it from here:', link);
  }
}

function linker(says, link) {
  id('linker-says').textContent = says;
  id('link').value = link ?? '';
  id('link').parentElement.hidden = link === undefined;
  id('linker').showModal();
  if (link) id('link').select();
}

function takeExample(name) {
  const found = examples.find((each) => each.id === name);
  if (!found) return;
  id('notice').hidden = true;
  bring({ what: ofExample(found), example: found });
  changed();
}

/** Brings a case into the page: that of an example, with what there is to say of it, or one of its own. */
function bring({ what, example: found }) {
  example = found;
  id('cell-bar').hidden = true;
  speak();
  id('example').value = found?.id ?? '';
  id('story').replaceChildren(...(found ? [h('p', {}, h('b', {}, found.title, '. '), found.says)] : []));
  put(what);
  checkLadder();
}

function nextExample(step) {
  const at = examples.findIndex((each) => each === example);
  takeExample(examples.at((at + step + examples.length) % examples.length).id);
  say(`Example: ${example.title}`);
}

async function openFile(file) {
  opening = undefined;
  id('notice').hidden = id('cell-bar').hidden = true;
  if (file.size > LARGEST) return tooLong(file.name, file.size);
  speak(file.name);
  const found = file.name.endsWith('.ipynb') && cellsOf(await file.text());
  if (found) return showCells(found);
  // A letter takes four bytes at the most.
  if (file.size > 4 * LETTERS) return openLarge(new LargeFile(file, file.name));
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    return complain(`${file.name} is not text in UTF-8.`);
  }
  if (!fits(text)) return openLarge(new LargeFile(file, file.name));
  const [all, crlf] = [text.split('\n').length - 1, text.split('\r\n').length - 1];
  put({ file: text, endings: all > 0 && all === crlf ? 'crlf' : 'lf' });
  isOwn();
  changed();
  if (crlf > 0 && crlf < all) complain(`${file.name} mixes line ends; here all are LF.`);
  say(`${file.name} is opened.`);
}

function complain(text) {
  id('notice').textContent = text;
  id('notice').className = 'notice bad';
  id('notice').hidden = false;
}

let saidLast;

/** Says a message to screen readers, and displays it for a moment. */
function say(text) {
  clearTimeout(saidLast);
  id('said').textContent = text;
  id('said').classList.add('shown');
  saidLast = setTimeout(() => id('said').classList.remove('shown'), 2200);
}

// ---- Showing ----

let heard;

function show() {
  const answer = known.answers.get(current.ladder);
  if (!answer) return;
  const { kind, word, where } = gist(answer);
  id('outcome').replaceChildren(outcome(answer, { use, reveal }));
  id('outcome').ariaBusy = 'false';
  id('summary').textContent = `${word} ${where} ↓`;
  id('summary').classList.remove('good', 'bad', 'calm', 'idle');
  id('summary').classList.add(kind);
  marks(answer);
  showView();
  // A screen reader hears it when there is a pause in typing.
  clearTimeout(heard);
  heard = setTimeout(() => (id('heard').textContent = `${word} ${where}`), 700);
  document.documentElement.dataset.answered = known.number;
  performance.mark('answered');
}

/** Marks where it lands, or what comes near. */
function marks({ explained }) {
  if (!explained) return editors.file.mark([]);
  const { answer, place } = explained;
  if (answer.ok && place && !current.all) {
    editors.file.mark([{ lines: place.lines, kind: 'good' }]);
    look(place.lines);
  } else if (answer.failure?.ambiguous_at?.length) {
    editors.file.mark(answer.failure.ambiguous_at.map((at) => ({ lines: at, kind: 'busy' })));
  } else if (answer.failure?.nearest) {
    editors.file.mark([{ lines: answer.failure.nearest.lines, kind: 'bad' }]);
    look(answer.failure.nearest.lines);
  } else {
    editors.file.mark([]);
  }
}

function showView() {
  const answer = known.answers.get(current.ladder);
  if (!answer) return;
  const { answers, ladders } = known;
  id('panel').replaceChildren(VIEWS[view](answer, { answers, ladders, ladder: current.ladder, reveal, choose, copyResult, open }));
}

function showLadders() {
  const box = id('ladders');
  const had = box.contains(document.activeElement);
  const chosen = known.answers.get(current.ladder)?.output;
  box.replaceChildren(
    ...known.ladders.map(({ name }) => {
      const answer = known.answers.get(name);
      const { kind, word, where } = answer ? gist(answer) : { kind: 'none', word: '…', where: '' };
      const isChosen = name === current.ladder;
      const differs = chosen !== undefined && answer?.output !== undefined && answer.output !== chosen;
      return h('button', { type: 'button', role: 'radio', class: `ladder ${kind}`, 'aria-checked': String(isChosen), tabindex: isChosen ? '0' : '-1', 'data-ladder': name, click: () => choose(name) },
        h('span', { class: 'name' }, name),
        h('span', { class: 'what' }, { good: '✓ ', calm: '✓ ', bad: '✗ ', idle: '', none: '' }[kind], kind === 'good' ? where.replace(/^(on|in) /, '') : word.toLowerCase()),
        differs ? h('span', { class: 'other' }, 'writes another text') : '');
    }),
  );
  if (had) box.querySelector('[aria-checked=true]')?.focus();
}

/** Shows the fields of the way in which the edit says where. */
function showPlace() {
  const { where } = current.place;
  const { old, says, numbers } = WHERE[where];
  id('where').value = where;
  id('old-name').textContent = old;
  id('old-says').textContent = says;
  id('ends').hidden = numbers === undefined;
  id('numbers-name').textContent = numbers ?? '';
  id('all').disabled = where !== 'whole';
}

/** Takes a part of the way in which the edit says where. */
function placed(part) {
  current.place = { ...current.place, ...part };
  if (current.place.where !== 'whole') id('all').checked = current.all = false;
  showPlace();
  isOwn();
  changed();
}

/** Says how long the file is, and which controls it has. */
function showFile() {
  const { file } = current;
  const isLarge = file instanceof LargeFile;
  id('file-facts').textContent = !isLarge ? count(countLines(file), 'line')
    : file.isRead ? `${count(file.lines, 'line')}, ${megabytes(file.size)}` : megabytes(file.blob.size);
  // It belongs to lines that are there.
  id('part-bar').hidden = !isLarge || editors.file.value === '';
  id('endings').disabled = isLarge;
  id('endings').value = isLarge ? file.endings ?? 'lf' : current.endings;
  id('mixed').hidden = id('endings').value !== 'mixed';
}

function open(name, moves = false) {
  view = name;
  for (const tab of document.querySelectorAll('[role=tab]')) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen && moves) tab.focus();
  }
  id('panel').setAttribute('aria-labelledby', `tab-${name}`);
  showView();
}

// ---- Controls ----

/** Lets the arrow keys walk a row of buttons; what has the focus is chosen. */
function walk(box, select, choose) {
  box.addEventListener('keydown', (event) => {
    const all = [...box.querySelectorAll(select)];
    const at = all.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    choose(all.at(to % all.length));
  });
}

walk(document.querySelector('[role=tablist]'), '[role=tab]', (tab) => open(tab.id.slice(4), true));
walk(id('ladders'), '[role=radio]', ({ dataset }) => choose(dataset.ladder));
for (const tab of document.querySelectorAll('[role=tab]')) tab.addEventListener('click', () => open(tab.id.slice(4)));
id('skip').addEventListener('click', (event) => {
  // The part after `#` is for cases.
  event.preventDefault();
  id('outcome').focus();
});
id('summary').addEventListener('click', () => id('outcome').scrollIntoView());
// On a slow machine several entries arrive at once, and the last of them is current.
new IntersectionObserver((moments) => id('summary').classList.toggle('aside', moments.at(-1).isIntersecting)).observe(id('outcome'));
id('example').addEventListener('change', ({ target }) => takeExample(target.value));
id('copy-link').addEventListener('click', copyLink);
id('copy-command').addEventListener('click', () => copyAs(command));
id('copy-case').addEventListener('click', () => copyAs(testCase));
id('help').addEventListener('click', () => id('helper').showModal());
id('all').addEventListener('change', ({ target }) => {
  current.all = target.checked;
  changed();
});
id('where').replaceChildren(...Object.entries(WHERE).map(([value, { name }]) => h('option', { value }, name)));
id('where').addEventListener('change', ({ target }) => placed({ where: target.value }));
for (const name of ['last', 'numbers']) id(name).addEventListener('input', ({ target }) => placed({ [name]: target.value }));
id('endings').addEventListener('change', ({ target }) => {
  current.endings = target.value;
  changed();
});
id('clear').addEventListener('click', begin);
id('earlier').addEventListener('click', () => look([visible[0] - 1, visible[0] - 1]));
id('later').addEventListener('click', () => look([visible[1] + 1, visible[1] + 1]));
id('language').replaceChildren(h('option', { value: '' }, 'none'), ...NAMES.map((name) => h('option', {}, name)));
id('language').addEventListener('change', ({ target }) => {
  spoken.language = target.value;
  colour();
});
id('cell').addEventListener('change', ({ target }) => showCell(Number(target.value)));
id('open').addEventListener('click', () => id('upload').click());
id('upload').addEventListener('change', ({ target }) => {
  if (target.files[0]) openFile(target.files[0]);
  target.value = '';
});
for (const [name, act] of [['dragover', () => {}], ['drop', ({ dataTransfer }) => openFile(dataTransfer.files[0])]]) {
  addEventListener(name, (event) => {
    // Fields take dropped texts themselves.
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    act(event);
  });
}

// ---- Theme ----

/** Settings that last from one visit to the next, where the browser allows it. */
const memory = {
  get: (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // Then it is for this visit only.
    }
  },
};

const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  id('theme').setAttribute('aria-label', `Use the ${isDark() ? 'light' : 'dark'} theme`);
}

function otherTheme() {
  const name = isDark() ? 'light' : 'dark';
  memory.set('theme', name);
  theme(name);
}

id('theme').addEventListener('click', otherTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => theme());

// ---- Shortcuts ----

const otherLadder = (step) => {
  const names = known.ladders.map(({ name }) => name);
  choose(names.at((names.indexOf(current.ladder) + step) % names.length));
  say(`Ladder: ${current.ladder}`);
};

const SHORTCUTS = [
  ['1 … 5', 'the views of the answer', Object.fromEntries(Object.keys(VIEWS).map((name, at) => [at + 1, () => open(name, true)]))],
  ['f  o  n', 'edit the file, the old text, the new text', { f: () => editors.file.focus(), o: () => editors.old.focus(), n: () => editors.new.focus() }],
  ['[  ]', 'previous and next ladder', { '[': () => otherLadder(-1), ']': () => otherLadder(1) }],
  ['a', 'go to the answer', { a: () => id('outcome').focus() }],
  ['u', 'use the proposal', { u: () => id('use')?.click() }],
  ['e  E', 'next and previous example', { e: () => nextExample(1), E: () => nextExample(-1) }],
  ['c', 'copy a link to this case', { c: copyLink }],
  ['t', 'switch between light and dark', { t: otherTheme }],
  ['?', 'this help', { '?': () => id('helper').showModal() }],
];
const acts = Object.assign({}, ...SHORTCUTS.map(([, , does]) => does));

id('shortcuts').replaceChildren(...SHORTCUTS.flatMap(([keys, does]) => [h('dt', {}, keys.split(/  ?/).map((key) => (key === '…' ? ' … ' : h('kbd', {}, key)))), h('dd', {}, does)]));
id('keys').checked = memory.get('keys') !== 'off';
id('keys').addEventListener('change', ({ target }) => memory.set('keys', target.checked ? 'on' : 'off'));

addEventListener('keydown', (event) => {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const types = target.matches('textarea, input:not([type=checkbox]), select');
  if (types && key === 'Escape') {
    id('outcome').focus();
    return;
  }
  if (types || ctrlKey || metaKey || altKey || !id('keys').checked || document.querySelector('dialog[open]')) return;
  if (Object.hasOwn(acts, key)) {
    event.preventDefault();
    acts[key]();
  }
});

// ---- The beginning ----

/** Shows what the address names now. */
async function follow() {
  const found = await named(location.hash.slice(1), examples);
  bring(found);
  ask();
  report(found);
}

/** Says what is wrong with the address, or updates it. A wrong one is kept, for reports. */
function report({ complaint, example: found }) {
  clearTimeout(saving);
  if (complaint) complain(complaint);
  else id('notice').hidden = true;
  if (found && !complaint) keep();
}

addEventListener('hashchange', follow);
theme(memory.get('theme'));
try {
  examples = await listed;
  id('example').replaceChildren(
    h('option', { value: '', disabled: true }, 'your own'),
    ...Object.entries(Object.groupBy(examples, ({ group }) => group)).map(([group, all]) =>
      h('optgroup', { label: group }, all.map((each) => h('option', { value: each.id }, each.title)))),
  );
  const found = await opened;
  // A user who has typed already keeps that.
  if (known.number === 0) {
    bring(found);
    report(found);
  }
  const { ladders, answer } = await answered;
  known.ladders = ladders;
  checkLadder();
  if (known.number > 0) {
    showLadders();
  } else if (answer) {
    take(answer);
    pass();
    wait();
  } else {
    ask();
  }
} catch (error) {
  failed(error);
}
