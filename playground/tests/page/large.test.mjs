// Large files: the page's own thread never handles all of one, and says what it waits for and what it does not take.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Stage, answered, fill, long, texts, upload, verdict, view } from './stage.mjs';

/** Bytes or letters that one task of the page's thread may handle: a fiftieth of a large file. */
const LITTLE = 300_000;

let stage;
before(async () => {
  stage = await new Stage().begin();
});
after(() => stage.end());

/** Notes the largest of what the page's thread sends, receives, reads, turns into bytes and lays out. */
function watch() {
  globalThis.handled = {};
  const note = (kind, size) => (globalThis.handled[kind] = Math.max(globalThis.handled[kind] ?? 0, size));
  const size = (data) => JSON.stringify(data, (_, value) => (value instanceof Blob || value instanceof WebAssembly.Module ? undefined : value)).length;
  globalThis.Worker = class extends Worker {
    constructor(...all) {
      super(...all);
      this.addEventListener('message', ({ data }) => note('received', size(data)));
    }

    postMessage(data) {
      note('sent', size(data));
      super.postMessage(data);
    }
  };
  globalThis.Blob = class extends Blob {
    constructor(parts = [], options) {
      super(parts, options);
      note('turned into bytes', parts.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0));
    }
  };
  for (const name of ['text', 'arrayBuffer']) {
    const read = Blob.prototype[name];
    Blob.prototype[name] = function () {
      note('read', this.size);
      return read.call(this);
    };
  }
  const { set, ...others } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value');
  Object.defineProperty(HTMLTextAreaElement.prototype, 'value', {
    ...others,
    set(text) {
      note('laid out', text.length);
      set.call(this, text);
    },
  });
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => note('elements', document.body.getElementsByTagName('*').length)).observe(document.body, { childList: true, subtree: true }));
}

/** Checks that no task handled much, and that each kind of task was seen. */
async function isLittle(page, ...kinds) {
  const handled = await page.evaluate(() => globalThis.handled);
  for (const kind of kinds) assert(handled[kind] > 0, `${kind} is watched: ${JSON.stringify(handled)}`);
  for (const [kind, size] of Object.entries(handled)) assert(size <= LITTLE, `${kind}: ${size}`);
  assert(handled.elements < 10_000, `${handled.elements} elements`);
}

/** Pastes a text into a field, as far as the page lets it. */
const paste = (page, name, text) =>
  page.evaluate(([name, text]) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    const field = document.querySelector(`#${name}`);
    field.select();
    return field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, [name, text]);

/** Types an edit of a line of a long text, whose old text has a slip, and returns the text that it leaves. */
async function edit(page, text, number) {
  const line = (head, name) => `${head}let value_${number} = ${name}(input[${number}], ${number % 101});`;
  await page.locator('#new').fill(line('', 'compute'));
  await page.locator('#old').fill(line('', 'measur'));
  await page.locator('.verdict h2', { hasText: `Landed on line ${(number + 1).toLocaleString('en')}` }).waitFor();
  await answered(page);
  return text.replace(line('    ', 'measure'), line('    ', 'compute'));
}

test('of a file of ten megabytes the page handles little at a time, and shows the part with the answer', async () => {
  const page = await stage.open('', { script: watch });
  const text = long(10 << 20);
  await upload(page, 'long.rs', text);
  await page.locator('#file-facts', { hasText: 'lines, 10.0 MB' }).waitFor();
  const left = await edit(page, text, 150_000);
  assert.match(await page.locator('#file').inputValue(), /value_150000 = measure/);
  assert.match(await page.locator('.gutter pre').first().innerText(), /\b150001\b/);
  assert.equal(await page.locator('.band.good').count(), 1);
  // The bar above the field cuts no line.
  assert.equal((await page.locator('#file').evaluate((field) => field.scrollTop - 8)) % 20, 0);
  for (const name of ['Side by side', 'Confidence', 'Strategies', 'Ladders', 'Result']) await view(page, name);
  // The rest of the file is looked at in parts.
  for (const lines of [/^Lines 150,0/, /^Lines 150,2/]) {
    await page.getByRole('button', { name: 'Later lines' }).click();
    await page.locator('#part', { hasText: lines }).waitFor();
  }
  await page.getByRole('button', { name: 'Show it in the file' }).click();
  await page.locator('#part', { hasText: /^Lines 149,/ }).waitFor();
  await isLittle(page, 'sent', 'received', 'laid out', 'elements');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the result' }).click();
  await page.locator('#said', { hasText: 'Copied.' }).waitFor();
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())) === left, true, 'the whole text is copied');
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.locator('#linker', { hasText: 'fits into no link' }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a file of one long line is cut where the edit is', async () => {
  const page = await stage.open('', { script: watch });
  const text = Array.from({ length: 60_000 }, (_, at) => `"key_${at}": ${at}`).join(', ');
  await upload(page, 'one.json', text);
  await page.locator('#file-facts', { hasText: '1 line, ' }).waitFor();
  await page.locator('#new').fill('"key_50000": 7');
  await page.locator('#old').fill('"key_50000": 50000');
  await page.locator('.verdict h2', { hasText: 'Landed on line 1' }).waitFor();
  await answered(page);
  assert.match(await page.locator('.result .row.put').innerText(), /"key_50000": 7,/);
  await view(page, 'Ladders');
  await isLittle(page, 'received', 'elements');
  await page.context().close();
});

test('a large text that is pasted goes to the worker in pieces, and never into the field', async () => {
  const page = await stage.open('', { script: watch });
  // Its pieces end inside of characters.
  const text = `${long(2 << 20)}${'😀'.repeat(300_001)}\n`;
  assert.equal(await paste(page, 'file', text), false, 'the browser does not put it in');
  await page.locator('#file-facts', { hasText: /lines, 3\.[0-9] MB/ }).waitFor();
  const left = await edit(page, text, 20_000);
  await isLittle(page, 'sent', 'received', 'turned into bytes', 'laid out');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the result' }).click();
  await page.locator('#said', { hasText: 'Copied.' }).waitFor();
  assert.equal((await page.evaluate(() => navigator.clipboard.readText())) === left, true, 'no character is broken');
  await page.context().close();
});

test('a text that a field holds is pasted by the browser', async () => {
  const page = await stage.open();
  for (const name of ['file', 'old', 'new']) assert.equal(await paste(page, name, long(100_000)), true, name);
  await page.context().close();
});

test('what is too large is refused with the limit, and the case stays', async () => {
  const page = await stage.open();
  const { file, old } = texts(stage.examples[0]);
  await upload(page, 'huge.rs', Buffer.alloc(17 << 20, 'a\n'));
  await page.locator('#notice', { hasText: 'huge.rs has 17.0 MB; the limit is 16.0 MB' }).waitFor();
  await page.evaluate(() => (document.querySelector('#notice').hidden = true));
  assert.equal(await paste(page, 'old', 'a'.repeat(250_000)), false);
  await page.locator('#notice', { hasText: 'the old text has 250,000 letters; the limit is 200,000 letters and 10,000 lines' }).waitFor();
  await page.evaluate(() => (document.querySelector('#notice').hidden = true));
  assert.equal(await paste(page, 'file', 'é\n'.repeat(6 << 20)), false);
  await page.locator('#notice', { hasText: 'the text has 18.0 MB; the limit is 16.0 MB' }).waitFor();
  assert.equal(await page.locator('#file').inputValue(), file);
  assert.equal(await page.locator('#old').inputValue(), old);
  assert.equal(await verdict(page), 'Landed on lines 15–16');
  await page.context().close();
});

test('a large file that is no text is refused, and the one before stays', async () => {
  const page = await stage.open();
  await upload(page, 'large.bin', Buffer.concat([Buffer.alloc(2 << 20, 'a\n'), Buffer.from([0xff])]));
  await page.locator('#notice', { hasText: 'large.bin is not text in UTF-8.' }).waitFor();
  assert.equal(await page.locator('#file').inputValue(), texts(stage.examples[0]).file);
  assert.equal(await page.locator('#progress').isVisible(), false);
  await page.context().close();
});

test('a small file after a large one is an ordinary field again', async () => {
  const page = await stage.open();
  await upload(page, 'long.rs', long(1 << 20).replaceAll('\n', '\r\n'));
  await page.locator('#part-bar').waitFor();
  assert.equal(await page.locator('#endings').inputValue(), 'crlf');
  assert.equal(await page.locator('#endings').isDisabled(), true);
  await page.locator('#example').selectOption('quotes');
  await answered(page);
  assert.equal(await page.locator('#part-bar').isVisible(), false);
  assert.equal(await page.locator('#endings').isDisabled(), false);
  await page.locator('#file').press('Control+a');
  await page.locator('#file').pressSequentially('typed');
  assert.equal(await page.locator('#file').inputValue(), 'typed');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the page says what it waits for', async () => {
  const context = await stage.browser.newContext();
  const page = await context.newPage();
  // A worker that does not begin before it is let.
  let begin;
  const held = new Promise((resolve) => (begin = resolve));
  await page.route('**/worker.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(stage.base);
  await page.locator('#progress', { hasText: /^Trying the other ladders, 7 left, \d/ }).waitFor();
  await page.locator('#old').fill('return sorted(self.items)');
  await page.locator('#progress', { hasText: /^Searching with adaptive, \d/ }).waitFor();
  await upload(page, 'long.rs', long(1 << 20));
  await page.locator('#progress', { hasText: /^Reading long\.rs: 0\.0 MB of 1\.0 MB, \d/ }).waitFor();
  begin();
  await answered(page);
  await page.locator('#progress').waitFor({ state: 'hidden' });
  await context.close();
});
