// Links that hold a case: what they bring back, what is said of those that cannot be read, and that nothing leaves the page.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { Stage, answered, fill, upload, verdict, view } from './stage.mjs';

let stage;
before(async () => {
  stage = await new Stage().begin();
});
after(() => stage.end());

/** Presses the button and returns the link that it copies. */
async function link(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The case in the fields. */
const state = (page) =>
  page.evaluate(() => ({
    texts: ['file', 'old', 'new'].map((id) => document.getElementById(id).value),
    all: document.getElementById('all').checked,
    endings: document.getElementById('endings').value,
    ladder: document.querySelector('.ladder[aria-checked=true]').dataset.ladder,
  }));

test('a link brings the whole case back, in another browser too', async () => {
  const page = await stage.open();
  // Every sign that could be lost on the way.
  await fill(page, 'file', 'naïve = "𝒜 + €" # ½\n\tcafé\u00a0\u200b = {"#": "%23?&=+/"}\n\tcafé = 2\n');
  await fill(page, 'old', 'cafe = 2');
  await fill(page, 'new', 'cafe = 3');
  await page.locator('#all').check();
  await page.locator('#endings').selectOption('crlf');
  await page.getByRole('radio', { name: /^full-guarded/ }).click();
  await answered(page);
  const [before, copied, words] = [await state(page), await link(page), await verdict(page)];
  assert.match(copied, new RegExp(`^${stage.base}#1\\.[\\w-]+$`));
  const other = await stage.open(new URL(copied).hash.slice(1));
  assert.deepEqual(await state(other), before);
  assert.equal(await verdict(other), words);
  assert.equal(await other.locator('#notice').isVisible(), false);
  // A reload keeps it, and so does the address of what was typed last.
  await other.locator('#old').pressSequentially('5');
  await other.waitForFunction((old) => location.href !== old, copied);
  await other.reload();
  await answered(other);
  assert.equal(await other.locator('#old').inputValue(), 'cafe = 25');
  for (const each of [page, other]) {
    assert.deepEqual(each.faults, []);
    await each.context().close();
  }
});

test('a link that is opened in the same window takes its place', async () => {
  const page = await stage.open('example=quotes');
  await page.evaluate(() => (location.hash = 'example=ambiguous'));
  await page.locator('.verdict h2', { hasText: 'Ambiguous' }).waitFor();
  await page.context().close();
});

const damaged = {
  'cut off': (good) => good.slice(0, -9),
  'with another letter': (good) => `${good.slice(0, 30)}${good[30] === 'A' ? 'B' : 'A'}${good.slice(31)}`,
  'with letters that no link has': (good) => `${good.slice(0, 30)}<b>`,
  'of a later version': (good) => good.replace(/^1\./, '3.'),
  'that holds no case': () => `1.${deflateSync('{"a":1}').toString('base64url')}`,
  'that holds a case without texts': () => `1.${deflateSync('[1,2,3,0,"full","lf"]').toString('base64url')}`,
  'that is empty': () => '1.',
  'that is too long': () => `1.${'A'.repeat(70_000)}`,
  'that unfolds to far too much': () => `1.${deflateSync(Buffer.alloc(30 << 20)).toString('base64url')}`,
  'of an example that is not there': () => 'example=none',
};
const SAYS = {
  'of a later version': /version 3.*reads versions up to 2/,
  'that is too long': /70,002 letters; more than 60,000/,
  'that unfolds to far too much': /unfolds to more than 8 MB/,
  'of an example that is not there': /no example called none/,
};

test('a link that cannot be read says why, and the page works on', async () => {
  const first = await stage.open('example=quotes');
  const good = new URL(await link(first)).hash.slice(1);
  await first.context().close();
  for (const [what, spoil] of Object.entries(damaged)) {
    const page = await stage.open(spoil(good));
    assert.match(await page.locator('#notice').innerText(), SAYS[what] ?? /This link is damaged/, what);
    assert.match(await verdict(page), /^Landed/, what);
    assert.deepEqual(page.faults, [], what);
    // The address keeps the link until something is typed.
    await page.waitForTimeout(500);
    assert.equal(new URL(page.url()).hash.slice(1), new URL(`http://a/#${spoil(good)}`).hash.slice(1), what);
    await page.context().close();
  }
});

/** The part of an address behind `#` for a case. */
const fragment = (file, old, replacement, ladder = 'adaptive') => `1.${deflateSync(JSON.stringify([file, old, replacement, 0, ladder, 'lf'])).toString('base64url')}`;

test('a ladder that this page does not know is the default one', async () => {
  const page = await stage.open(fragment('one\ntwo\n', 'two', '2', 'of-a-later-page'));
  assert.equal(await verdict(page), 'Landed on line 2');
  assert.equal((await state(page)).ladder, 'adaptive');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a case that the page does not wait for is answered all the same', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `  let value_${at % 13} = measure(input, ${at % 7});`);
  lines[777] = '  let sum = total(input);';
  const old = 'let value_3 = mesure(inputs, 9);\nlet sum = totl(input);\nlet value_3 = mesure(inputs, 9);';
  const page = await stage.open(fragment(lines.join('\n'), old, 'x'));
  assert.equal(await verdict(page), 'In conflict');
  assert.equal(await page.locator('#old').inputValue(), old);
  await page.context().close();
});

test('an engine that does not come is said, with a next step', async () => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  await page.route('**/engine.wasm', (route) => route.abort());
  await page.goto(stage.base);
  await page.locator('.verdict.bad h2', { hasText: 'The engine did not load' }).waitFor();
  assert.match(await page.locator('.verdict').innerText(), /Next step: Load the page again/);
  assert.equal(await page.locator('#example').inputValue(), stage.examples[0].id, 'the rest of the page is there');
  await context.close();
});

test('a case that is too long for a link is not cut: the page says so', async () => {
  const page = await stage.open();
  let seed = 1;
  const word = () => ((seed = (seed * 48271) % 2147483647), seed.toString(36));
  const noise = Array.from({ length: 9_000 }, () => `${word()} ${word()} ${word()}`).join('\n');
  await upload(page, 'noise', noise);
  await page.locator('#file-facts', { hasText: '9,000 lines' }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('#linker', { hasText: 'do not fit into an issue' }).waitFor();
  assert.equal(await page.locator('#link').isVisible(), false);
  await page.context().close();
});

test('without the clipboard the link is shown', async () => {
  const page = await stage.open();
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
  });
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.waitForFunction(() => document.querySelector('#link').value !== '');
  assert.match(await page.locator('#link').inputValue(), /#1\.[\w-]+$/);
  await page.context().close();
});

test('no request leaves the page, and none is made once it is loaded', async () => {
  const page = await stage.open();
  for (const url of page.requests) assert(url.startsWith(stage.base), url);
  const files = page.requests.map((url) => new URL(url).pathname);
  assert(files.includes('/engine.wasm') && files.includes('/worker.js'), files.join());
  const loaded = page.requests.length;
  await fill(page, 'old', 'return sorted(self.items)');
  for (const name of ['Side by side', 'Confidence', 'Strategies', 'Ladders']) await view(page, name);
  await link(page);
  // Browsers look for the icon anew when the address changes.
  assert.deepEqual(page.requests.slice(loaded).filter((url) => !url.endsWith('/icon.svg')), []);
  assert.deepEqual(page.faults, []);
  // The watch would have seen one, and the policy would have stopped it.
  await page.evaluate(() => fetch('http://127.0.0.1:9/').catch(() => undefined));
  assert.equal(page.faults.length > 0 && /Content Security Policy/i.test(page.faults.join()), true, page.faults.join());
  await page.context().close();
});

test('what is large is loaded once', async () => {
  const page = await stage.open();
  for (const name of ['engine.wasm', 'examples.json']) assert.equal(page.requests.filter((url) => url.endsWith(`/${name}`)).length, 1, name);
  await page.context().close();
});
