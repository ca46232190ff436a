// The page: what is typed goes to the worker, what it answers is shown.

import { answered, compiled, listed, opened } from './boot.js';
import { DEFAULT, broken, named, ofExample, texts } from './case.js';
import { h, id } from './dom.js';
import { Editor } from './editor.js';
import { LONGEST, encode } from './link.js';
import { spliced } from './diff.js';
import { compare, gist, outcome, pairs, result, strategies, weights } from './views.js';

/** Bytes of a file that is opened. */
const LARGEST = 4 << 20;

/** Milliseconds after which a question that a newer one overtook is given up. */
const PATIENCE = 1500;

const VIEWS = { result, pairs, weights, strategies, compare };

/** What is asked: the case as a link holds it. */
const asked = { file: '', old: '', new: '', all: false, ladder: DEFAULT, endings: 'lf' };

/** What is known: the ladders, and what each makes of the case of this number. */
const known = { ladders: [], answers: new Map(), number: 0, since: 0 };

let view = 'result';
let examples = [];
let example;
let worker;

const editors = {
  file: new Editor(id('editor-file'), () => edited('file')),
  old: new Editor(id('editor-old'), () => edited('old')),
  new: new Editor(id('editor-new'), () => edited('new')),
};

// ---- Asking ----

/** Starts a worker, and sends it the engine. */
function employ() {
  const mine = new Worker('worker.js', { type: 'module' });
  mine.onmessage = ({ data }) => {
    if (mine === worker && data.number === known.number) take(data);
  };
  mine.onerror = () => failed('the worker could not be started');
  // That it cannot be compiled is said to whoever asks.
  compiled.then((module) => mine.postMessage({ module }), () => undefined);
  return mine;
}

/** Hands the case to the worker, which leaves out what is known. */
function pass() {
  const { number } = known;
  worker ??= employ();
  // Behind the module, which comes first.
  compiled.then(() => {
    if (number !== known.number) return;
    worker.postMessage({ number, ladder: asked.ladder, isKnown: known.answers.has(asked.ladder), texts: texts(asked) });
  }, failed);
}

function failed(why) {
  id('outcome').ariaBusy = 'false';
  id('outcome').replaceChildren(
    h('div', { class: 'verdict bad' }, h('h2', {}, 'The engine did not load'), h('p', {}, why.message ?? why),
      h('p', {}, h('b', {}, 'Next step: '), 'Load the page again. If it stays so, see whether its server has engine.wasm and worker.js beside it.')));
}

/** A link may be from a page that has other ladders. */
function checkLadder() {
  if (known.ladders.length > 0 && !known.ladders.some(({ name }) => name === asked.ladder)) asked.ladder = DEFAULT;
}

function ask() {
  const isLate = known.number > 0 && !known.answers.has(asked.ladder) && performance.now() - known.since > PATIENCE;
  known.number += 1;
  known.since = performance.now();
  known.answers = new Map();
  // Until there is an answer the one to the case before is shown.
  id('outcome').ariaBusy = 'true';
  const why = broken(asked);
  if (why) {
    take({ ladder: asked.ladder, error: why });
    return;
  }
  if (isLate) {
    // It is at work on what nobody asks any more.
    worker?.terminate();
    worker = undefined;
  }
  pass();
}

function take(answer) {
  known.answers.set(answer.ladder, answer);
  showLadders();
  if (answer.ladder === asked.ladder) show();
  else if (tellsOfOthers()) showView();
}

/** Whether the view says what other ladders make of it: what is written does not, and is not shown anew for each. */
function tellsOfOthers() {
  const isRefused = known.answers.get(asked.ladder)?.explained?.answer.ok === false;
  return view === 'compare' || view === 'strategies' || (view === 'result' && isRefused);
}

// ---- What the user does ----

let saving;

/** Says that the case is not the example any more, and asks about it. */
function edited(name) {
  asked[name] = editors[name].value;
  if (name === 'file') showFile();
  id('notice').hidden = true;
  example = undefined;
  id('example').value = '';
  id('story').replaceChildren();
  changed();
}

function changed() {
  ask();
  keep();
}

/** Lets the address follow, so that a reload keeps what was typed. */
function keep() {
  clearTimeout(saving);
  saving = setTimeout(async () => {
    const fragment = isExample() ? `example=${example.id}` : await encode(asked);
    if (fragment.length <= LONGEST) address(fragment);
  }, 400);
}

function isExample() {
  const { all = false, ladder = DEFAULT, endings = 'lf' } = example ?? {};
  return example !== undefined && asked.all === all && asked.ladder === ladder && asked.endings === endings;
}

function address(fragment) {
  if (location.hash.slice(1) !== fragment) history.replaceState(null, '', `#${fragment}`);
}

/** Puts a whole case in. */
function put(what) {
  Object.assign(asked, what);
  for (const name of ['file', 'old', 'new']) {
    // A field has no other line ends than this.
    asked[name] = asked[name].replace(/\r\n?/g, '\n');
    editors[name].value = asked[name];
  }
  id('all').checked = asked.all;
  id('endings').value = asked.endings;
  showFile();
}

function choose(ladder) {
  asked.ladder = ladder;
  showLadders();
  if (known.answers.has(ladder)) show();
  else ask();
  keep();
}

function use({ old_string: old, new_string: replacement }) {
  put({ old: old.replaceAll('\r\n', '\n'), new: replacement.replaceAll('\r\n', '\n') });
  example = undefined;
  id('example').value = '';
  id('story').replaceChildren();
  changed();
  id('outcome').focus();
  say('The proposal is in the fields.');
}

function reveal(at) {
  editors.file.reveal(at);
  id('editor-file').scrollIntoView({ block: 'nearest', behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
}

async function copy(text, words = 'Copied.') {
  try {
    await navigator.clipboard.writeText(text);
    say(words);
    return true;
  } catch {
    say('The browser does not let this page write to the clipboard.');
    return false;
  }
}

async function copyLink() {
  const fragment = await encode(asked);
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
  if (file.size > LARGEST) return complain(`${file.name} has ${file.size.toLocaleString('en')} bytes; at most ${LARGEST >> 20} MB are opened here.`);
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer());
  } catch {
    return complain(`${file.name} is not text in UTF-8.`);
  }
  const [all, crlf] = [text.split('\n').length - 1, text.split('\r\n').length - 1];
  put({ file: text, endings: all > 0 && all === crlf ? 'crlf' : 'lf' });
  edited('file');
  if (crlf > 0 && crlf < all) complain(`${file.name} mixes line ends; here all are LF.`);
  say(`${file.name} is opened.`);
}

function complain(text) {
  id('notice').textContent = text;
  id('notice').className = 'notice bad';
  id('notice').hidden = false;
}

let saidLast;

/** Tells a screen reader, and shows it for a moment. */
function say(text) {
  clearTimeout(saidLast);
  id('said').textContent = text;
  id('said').classList.add('shown');
  saidLast = setTimeout(() => id('said').classList.remove('shown'), 2200);
}

// ---- Showing ----

let heard;

function show() {
  const answer = known.answers.get(asked.ladder);
  if (!answer) return;
  const { kind, word, where } = gist(answer);
  id('outcome').replaceChildren(outcome(answer, { use, reveal }));
  id('outcome').ariaBusy = 'false';
  id('summary').textContent = `${word} ${where} ↓`;
  id('summary').classList.remove('good', 'bad', 'calm');
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
  if (answer.ok && place && !asked.all) {
    editors.file.mark([{ lines: place.lines, kind: 'good' }]);
    editors.file.reveal(place.lines);
  } else if (answer.failure?.ambiguous_at?.length) {
    editors.file.mark(answer.failure.ambiguous_at.map((at) => ({ lines: at, kind: 'busy' })));
  } else if (answer.failure?.nearest) {
    editors.file.mark([{ lines: answer.failure.nearest.lines, kind: 'bad' }]);
    editors.file.reveal(answer.failure.nearest.lines);
  } else {
    editors.file.mark([]);
  }
}

function showView() {
  const answer = known.answers.get(asked.ladder);
  if (!answer) return;
  const { answers, ladders } = known;
  id('panel').replaceChildren(VIEWS[view](answer, texts(asked), { answers, ladders, ladder: asked.ladder, reveal, choose, copy, open }));
}

/** What each ladder that lands the edit would leave of the file. */
function outputs() {
  const { file, new: given } = texts(asked);
  const landed = [...known.answers].filter(([, { explained }]) => explained?.answer.ok);
  return new Map(landed.map(([name, { explained }]) => [name, spliced(file, explained.answer.splices, given)]));
}

function showLadders() {
  const box = id('ladders');
  const had = box.contains(document.activeElement);
  const left = outputs();
  const chosen = left.get(asked.ladder);
  box.replaceChildren(
    ...known.ladders.map(({ name }) => {
      const answer = known.answers.get(name);
      const { kind, word, where } = answer ? gist(answer) : { kind: 'none', word: '…', where: '' };
      const isChosen = name === asked.ladder;
      const differs = chosen !== undefined && left.has(name) && left.get(name) !== chosen;
      return h('button', { type: 'button', role: 'radio', class: `ladder ${kind}`, 'aria-checked': String(isChosen), tabindex: isChosen ? '0' : '-1', 'data-ladder': name, click: () => choose(name) },
        h('span', { class: 'name' }, name),
        h('span', { class: 'what' }, { good: '✓ ', calm: '✓ ', bad: '✗ ', none: '' }[kind], kind === 'good' ? where.replace(/^(on|in) /, '') : word.toLowerCase()),
        differs ? h('span', { class: 'other' }, 'writes another text') : '');
    }),
  );
  if (had) box.querySelector('[aria-checked=true]')?.focus();
}

function showFile() {
  const lines = asked.file === '' ? 0 : asked.file.split('\n').length - (asked.file.endsWith('\n') ? 1 : 0);
  id('file-facts').textContent = `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`;
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
  // The part behind `#` is for cases.
  event.preventDefault();
  id('outcome').focus();
});
id('summary').addEventListener('click', () => id('outcome').scrollIntoView());
// On a slow machine it is told several moments at once, and the last of them is how things are.
new IntersectionObserver((moments) => id('summary').classList.toggle('aside', moments.at(-1).isIntersecting)).observe(id('outcome'));
id('example').addEventListener('change', ({ target }) => takeExample(target.value));
id('copy-link').addEventListener('click', copyLink);
id('help').addEventListener('click', () => id('helper').showModal());
id('all').addEventListener('change', ({ target }) => {
  asked.all = target.checked;
  changed();
});
id('endings').addEventListener('change', ({ target }) => {
  asked.endings = target.value;
  changed();
});
id('open').addEventListener('click', () => id('upload').click());
id('upload').addEventListener('change', ({ target }) => {
  if (target.files[0]) openFile(target.files[0]);
  target.value = '';
});
for (const [name, act] of [['dragover', () => {}], ['drop', ({ dataTransfer }) => openFile(dataTransfer.files[0])]]) {
  addEventListener(name, (event) => {
    // A text that is dropped is the field's business.
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    act(event);
  });
}

// ---- Theme ----

/** What is remembered from one visit to the next, where the browser allows it. */
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
  choose(names.at((names.indexOf(asked.ladder) + step) % names.length));
  say(`Ladder: ${asked.ladder}`);
};

const SHORTCUTS = [
  ['1 … 5', 'the views of the answer', Object.fromEntries(Object.keys(VIEWS).map((name, at) => [at + 1, () => open(name, true)]))],
  ['f  o  n', 'edit the file, the old text, the new text', { f: () => editors.file.focus(), o: () => editors.old.focus(), n: () => editors.new.focus() }],
  ['[  ]', 'the ladder before, the next one', { '[': () => otherLadder(-1), ']': () => otherLadder(1) }],
  ['a', 'go to the answer', { a: () => id('outcome').focus() }],
  ['u', 'use the proposal', { u: () => id('use')?.click() }],
  ['e  E', 'the next example, the one before', { e: () => nextExample(1), E: () => nextExample(-1) }],
  ['c', 'copy a link to this case', { c: copyLink }],
  ['t', 'the other theme', { t: otherTheme }],
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
  told(found);
}

/** Says what is wrong with the address, or lets it follow. It stays where it is wrong: who reports the link still has it. */
function told({ complaint, example: found }) {
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
  // Who has typed already goes on with that.
  if (known.number === 0) {
    bring(found);
    told(found);
  }
  const { ladders, answer } = await answered;
  known.ladders = ladders;
  checkLadder();
  if (known.number > 0) {
    showLadders();
  } else if (answer) {
    take(answer);
    pass();
  } else {
    ask();
  }
} catch (error) {
  failed(error);
}
