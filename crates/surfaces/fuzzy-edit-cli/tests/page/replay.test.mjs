// The page of `replay --html` in a browser: whole without scripts and other files, in both themes and narrow windows.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { accessible, fits, launch, shot } from './support.mjs';

const LADDERS = ['adaptive', 'conservative', 'full', 'opencode', 'reference'];

/** Edits of every outcome, by two models. */
const CASES = ['small', 'large'].flatMap((model) => [
  { id: 'exact', kind: 'none', model, content: 'a = 1\nb = 2\n', old: 'b = 2', new: 'b = 3', expected: 'a = 1\nb = 3\n' },
  { id: 'tabs', kind: 'blanks', model, content: 'def f():\n\ta = 1\n\tb = 2\n', old: '    a = 1\n    b = 2', new: '    a = 1\n    b = 3', expected: 'def f():\n\ta = 1\n\tb = 3\n' },
  { id: 'twice', kind: 'refuse', model, content: 'x = 1\ny = 2\nx = 1\n', old: 'x = 1', new: 'x = 3', expected: 'x = 3\ny = 2\nx = 1\n' },
  { id: 'missing', kind: 'missing', model, content: 'x = 1\n', old: 'total = sum(cart)', new: 'x', expected: 'x = 2\n' },
  { id: '<b>"wrong"</b>', kind: '<i>', model, content: 'x = 1\ny = 2\n', old: 'x = 1', new: 'x = 5', expected: 'x = 6\ny = 2\n' },
]);

let dir, browser, address;
before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'fuzzy-edit-replay-'));
  const [cases, page] = [join(dir, 'cases.jsonl'), join(dir, 'page.html')];
  writeFileSync(cases, CASES.map((line) => `${JSON.stringify(line)}\n`).join(''));
  execFileSync(process.env.FUZZY_EDIT, ['replay', cases, '--ladder', LADDERS.join(), '--html', page]);
  address = pathToFileURL(page).href;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(dir, { recursive: true });
});

/** Opens the page with every answer unfolded. */
async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.requests = [];
  page.faults = [];
  page.on('request', (request) => page.requests.push(request.url()));
  page.on('console', (message) => page.faults.push(message.text()));
  await page.goto(address);
  const folded = page.locator('details > summary');
  for (let index = 0; index < (await folded.count()); index++) await folded.nth(index).click();
  return page;
}

test('the page is whole without scripts and other files', async () => {
  const page = await open({ javaScriptEnabled: false });
  assert.deepEqual([page.requests, page.faults], [[address], []]);
  for (const name of ['Outcomes by ladder', 'Refusals by rule', 'By kind, model and host', 'What each tier would have landed', 'Time of a decision', 'The worst answers']) {
    assert(await page.getByRole('heading', { name, exact: true }).isVisible(), name);
  }
  for (const ladder of LADDERS) assert((await page.getByRole('rowheader', { name: ladder, exact: true }).count()) > 0, ladder);
  // The texts of a log are text, not tags.
  assert((await page.getByRole('rowheader', { name: '<i>', exact: true }).count()) > 0);
  assert.equal(await page.locator('summary').filter({ hasText: '<b>"wrong"</b>' }).count(), 2);
  assert.equal(await page.locator('summary b', { hasText: /^WRONG$/ }).count(), 2);
  const sides = await page.locator('details', { hasText: 'wrong' }).first().locator('.sides tr.d td').allTextContents();
  assert.deepEqual(sides, ['x = 6', 'x = 5']);
  await page.context().close();
});

test('nothing sticks out in any window', async () => {
  const page = await open();
  for (const width of [320, 390, 768, 1300, 1800]) {
    await page.setViewportSize({ width, height: 844 });
    await fits(page, `${width}`);
    // The number of wrong answers is visible without scrolling.
    const wrong = await page.getByRole('columnheader', { name: 'WRONG', exact: true }).first().boundingBox();
    assert(width < 390 || wrong.x + wrong.width <= width, `${wrong.x} + ${wrong.width}`);
    // Five ladders fit into a wide window.
    const cut = await page.locator('.wide').evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.ariaLabel));
    assert(width < 1300 || cut.length === 0, `${cut}`);
    await shot(page, `replay-${width}`);
  }
  await page.context().close();
});

test('screen readers and weak eyes find their way', async () => {
  const page = await open();
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/)[0] > 128);
  assert.equal(await paper(), true, 'light');
  await accessible(page, 'replay');
  assert.equal(await paper(), false, 'dark');
  await page.context().close();
});
