// Keeps an open page up to date, and moves between turns by the keyboard. The page works without it.
'use strict';

/** The interval between requests for changes without an event: of the running turn's files, and of a worktree's turns. */
const POLL = 5000;
/** The delay before reconnecting if the server is gone or has too many event streams. */
const RECONNECT = 10000;

const main = document.getElementById('main');
const { live, seq, state, path } = main.dataset;

/** Fetches the page again and updates its parts. */
async function refresh() {
  const answer = await fetch(path, { headers: { accept: 'text/html' } });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('[data-part]')) {
    const next = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
    if (!next) continue;
    if (part.dataset.part === 'transcript') merge(part, next);
    else replace(part, next);
  }
}

/** Returns an element's markup without form keys and timestamps, which differ each time. */
const markup = (element) => element.outerHTML.replace(/ name="key" value="[^"]*"|\?at=\d+/g, '');
/** The markup as it was sent, because unfolding parts changes it. */
const sent = new WeakMap();
for (const element of document.querySelectorAll('[data-part], [data-part="transcript"] > *, .timeline > *')) sent.set(element, markup(element));

/** Displays times in local time; their titles remain in UTC. */
function localise(within) {
  for (const time of within.querySelectorAll('time[datetime]')) {
    if (!time.textContent.endsWith('UTC')) continue;
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  }
}
localise(document);

/** Replaces an element if the new one differs; keeps unfolded parts open, and the focus. */
function replace(old, next) {
  const newest = markup(next);
  if (sent.get(old) === newest) return;
  const open = [...old.querySelectorAll('details')].map((details) => details.open);
  const focus = document.activeElement?.closest?.('[id]')?.id;
  const hadFocus = old.contains(document.activeElement);
  next = document.importNode(next, true);
  next.querySelectorAll('details').forEach((details, at) => { details.open = open[at] ?? false; });
  sent.set(next, newest);
  localise(next);
  old.replaceWith(next);
  if (hadFocus && focus) document.getElementById(focus)?.focus();
}

/** Adds new messages, updates changed ones, and removes those that a restore trimmed. */
function merge(old, next) {
  const place = (element) => Number(element.dataset.seq);
  const before = [...old.children];
  const after = [...next.children];
  const first = after.length ? place(after[0]) : 0;
  const kept = new Set(after.map((element) => element.id));
  const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 80;
  for (const element of before) {
    if (place(element) >= first && !kept.has(element.id)) element.remove();
  }
  for (const element of after) {
    const known = document.getElementById(element.id);
    if (known && known.parentElement === old) {
      replace(known, element);
      continue;
    }
    const added = document.importNode(element, true);
    sent.set(added, markup(element));
    localise(added);
    old.append(added);
  }
  // Follow new messages only if the page was scrolled to its end.
  if (atEnd) window.scrollTo(0, document.documentElement.scrollHeight);
}

let busy = false;
let again = false;
/** Refreshes the page, one request at a time; calls in the meantime cause one more refresh. */
async function update() {
  if (busy) { again = true; return; }
  busy = true;
  try {
    do {
      again = false;
      await refresh();
      await count();
    } while (again);
  } catch {
    // The server is gone; the event stream reconnects when it is back.
  } finally {
    busy = false;
  }
}

/** Displays the number of the running turn's changes so far. */
async function count() {
  const link = document.querySelector('[data-changes]');
  if (!link) return;
  const answer = await fetch(link.dataset.changes);
  if (!answer.ok) return;
  const { files } = await answer.json();
  const sum = (key) => files.reduce((total, file) => total + (file[key] ?? 0), 0);
  const words = `Changed ${files.length} ${files.length === 1 ? 'file' : 'files'} so far, +${sum('insertions')} −${sum('deletions')}`;
  if (link.textContent !== words) link.textContent = words;
}

/** Updates the file counts of a restore; returns whether the page has them. */
function counted(files) {
  const part = document.querySelector('[data-files]');
  if (!part || !files) return false;
  for (const place of part.querySelectorAll('[data-n]')) place.textContent = files[place.dataset.n];
  part.querySelector('progress').value = files.written + files.placed;
  return true;
}

/** The notice that the server does not answer. */
const gone = document.createElement('p');
gone.className = 'notice busy';
gone.hidden = true;
gone.setAttribute('role', 'status');
gone.textContent = 'The server does not answer, so this page may be out of date. It reconnects by itself; if it does not, check that “fuzzy-edit serve” is running.';
main.prepend(gone);

function listen() {
  const events = new EventSource(live);
  let last;
  events.addEventListener('progress', (event) => {
    const { restore_files: files, ...now } = JSON.parse(event.data);
    const isFirst = last === undefined;
    const before = last;
    last = JSON.stringify(now);
    if (last === before && counted(files)) return;
    const known = isFirst && String(now.next_seq) === seq && now.state === state;
    if (!known) update();
  });
  events.addEventListener('open', () => { gone.hidden = true; });
  events.addEventListener('error', () => {
    gone.hidden = false;
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, RECONNECT);
  });
}

if (live) {
  listen();
  setInterval(() => {
    if (!document.hidden && document.querySelector('[data-changes]')) (path.includes('/turns/') ? update() : count().catch(() => {}));
  }, POLL);
  if (document.querySelector('[data-changes]')) count().catch(() => {});
}

/** The list of a worktree's newest turns. */
const timeline = document.querySelector('.timeline[data-news]');
/** The button that loads what is new. Nothing moves before it is pressed, not even for the button itself. */
const news = document.createElement('div');
news.className = 'news';
news.setAttribute('role', 'status');

/** Asks whether there are newer turns, or ends of turns. */
async function ask() {
  const answer = await fetch(timeline.dataset.news);
  if (!answer.ok) return;
  const { turns, mark } = await answer.json();
  const words = turns ? `${turns} new ${turns === 1 ? 'turn' : 'turns'}` : 'Turns have changed';
  if (mark === timeline.dataset.mark) news.replaceChildren();
  else if (news.textContent !== words) {
    const show = document.createElement('button');
    show.className = 'primary';
    show.textContent = words;
    show.addEventListener('click', () => load().catch(() => location.reload()));
    news.replaceChildren(show);
  }
}

/** Adds the new turns, and updates those that changed. */
async function load() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.timeline[data-news]');
  const place = (element) => Number(element.dataset.turn);
  const [before, after] = [[...timeline.children], [...fresh.children]];
  const newest = before.length ? place(before[0]) : 0;
  const oldest = after.length ? place(after.at(-1)) : 0;
  // Turns between the two lists would be missing.
  if (oldest > newest) return location.reload();
  const known = new Map(before.map((element) => [place(element), element]));
  const kept = new Set(after.map(place));
  let next = timeline.firstElementChild;
  let first;
  for (const element of after) {
    const old = known.get(place(element));
    if (old) {
      next = old.nextElementSibling;
      replace(old, element);
      continue;
    }
    const added = document.importNode(element, true);
    sent.set(added, markup(element));
    localise(added);
    timeline.insertBefore(added, next);
    first ??= added;
  }
  for (const element of before) if (place(element) >= oldest && !kept.has(place(element))) element.remove();
  Object.assign(timeline.dataset, { news: fresh.dataset.news, mark: fresh.dataset.mark });
  document.querySelector('.empty')?.remove();
  news.replaceChildren();
  // The cards that are new are what the reader asked for.
  first?.querySelector('h2 a').focus({ preventScroll: true });
  first?.scrollIntoView({ block: 'center' });
}

if (timeline) {
  timeline.before(news);
  const look = () => { if (!document.hidden) ask().catch(() => {}); };
  setInterval(look, POLL);
  document.addEventListener('visibilitychange', look);
}

/** Keys, their descriptions, and their actions. */
const KEYS = [
  ['j', 'the next turn or file', () => move(1)],
  ['k', 'the previous turn or file', () => move(-1)],
  ['o', 'unfold it, or open the changes of the turn', open],
  ['t', 'jump to a turn', () => document.getElementById('jump')?.focus()],
  ['/', 'search', () => document.getElementById('search')?.focus()],
  ['h', 'the restores of this session', () => document.querySelector('[data-key=h]')?.click()],
  ['?', 'these keys', () => help.showModal()],
];

function move(by) {
  const stops = [...document.querySelectorAll('.prompt h2, .turn h2 a, .file summary, .file .row a')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const here = stops.findIndex((stop) => stop.getBoundingClientRect().top >= 0);
  const next = stops[Math.max(0, Math.min(stops.length - 1, at < 0 ? Math.max(here, 0) : at + by))];
  if (!next) return;
  if (next.matches('h2')) next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: 'center' });
}

function open() {
  const at = document.activeElement;
  if (at.matches('summary, a')) at.click();
  else at.closest('.prompt')?.querySelector('.changes a')?.click();
}

const help = document.createElement('dialog');
help.setAttribute('aria-label', 'Keys');
const list = document.createElement('dl');
for (const [key, says] of KEYS) {
  const [term, words] = [document.createElement('dt'), document.createElement('dd')];
  const kbd = document.createElement('kbd');
  kbd.textContent = key;
  term.append(kbd);
  words.textContent = says;
  list.append(term, words);
}
const close = document.createElement('button');
close.textContent = 'Close';
close.addEventListener('click', () => help.close());
const title = document.createElement('h2');
title.textContent = 'Keys';
help.append(title, list, close);
document.body.append(help);

const button = document.createElement('button');
button.className = 'keys';
button.textContent = 'Keys';
button.addEventListener('click', () => help.showModal());
document.querySelector('.top > nav')?.append(button);

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select')) return;
  const found = KEYS.find(([key]) => key === event.key);
  if (!found) return;
  event.preventDefault();
  found[2]();
});
