// The colours of words in the fields, and the cells of notebooks.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Stage, answered, fill, upload, verdict } from './stage.mjs';
import { shot } from './support.mjs';

let stage;
before(async () => {
  stage = await new Stage().begin();
});
after(() => stage.end());

/** Returns what a field shows below its own text, which is transparent. */
const shown = (page, name) => page.locator(`#editor-${name} .colours pre`).evaluate((pre) => pre.textContent);

/** Returns the coloured words of a kind. */
const coloured = (page, name, kind) => page.locator(`#editor-${name} .colours .${kind}`).allInnerTexts();

const RUST = 'fn main() {\n\tlet a = "one // two"; // three\n    start(a, 10);\n}\n';

test('words have colours, letter on letter, at every key', async () => {
  const page = await stage.open();
  await upload(page, 'main.rs', new TextEncoder().encode(RUST));
  await page.locator('#editor-file.coloured .word', { hasText: 'let' }).waitFor();
  assert.equal(await page.locator('#language').inputValue(), 'rs');
  assert.equal(await shown(page, 'file'), RUST);
  assert.deepEqual(await coloured(page, 'file', 'word'), ['fn', 'let']);
  assert.deepEqual(await coloured(page, 'file', 'string'), ['"one // two"']);
  assert.deepEqual(await coloured(page, 'file', 'comment'), ['// three']);
  // No word is wider than in the field.
  const widths = await page.locator('#editor-file .colours span').evaluateAll((words) => words.map((word) => word.getBoundingClientRect().width / word.textContent.length));
  assert(Math.max(...widths) - Math.min(...widths) < 0.1, widths.join(' '));
  await fill(page, 'old', 'let a = 1;');
  await page.locator('#editor-old.coloured').waitFor();
  // What is typed is there before the next frame.
  await page.locator('#old').press('End');
  await page.locator('#old').pressSequentially(' return');
  assert.equal(await shown(page, 'old'), 'let a = 1; return\n');
  assert.deepEqual(await coloured(page, 'old', 'word'), ['let', 'return']);
  const places = await page.locator('#editor-file').evaluate((editor) => {
    const [field, pre] = [editor.querySelector('textarea'), editor.querySelector('.colours pre')].map((each) => {
      const { left, top } = each.getBoundingClientRect();
      const { paddingLeft, paddingTop, fontSize, lineHeight, tabSize, fontFamily } = getComputedStyle(each);
      return { left: left + parseFloat(paddingLeft), top: top + parseFloat(paddingTop), fontSize, lineHeight, tabSize, fontFamily };
    });
    return [field, pre];
  });
  assert.deepEqual(places[0], places[1]);
  await shot(page, 'colours');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a text that is scrolled shows the lines that are seen, and prose has no colours', async () => {
  const page = await stage.open();
  const lines = Array.from({ length: 300 }, (_, at) => `    let value_${at} = "${'x'.repeat(100)}";`);
  await fill(page, 'file', `fn main() {\n${lines.join('\n')}\n}\n`);
  await page.getByLabel('language').selectOption('rs');
  await page.locator('#editor-file.coloured').waitFor();
  await page.locator('#file').evaluate((field) => field.scrollTo(150, 2000));
  await page.waitForFunction(() => document.querySelector('#editor-file .colours pre').textContent.includes('value_99 '));
  const moved = await page.locator('#editor-file .colours pre').evaluate((pre) => new DOMMatrix(getComputedStyle(pre).transform).e);
  assert.equal(moved, -150);
  assert(!(await shown(page, 'file')).includes('value_1 '));
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await fill(page, 'file', 'Just a letter.\nNothing else.\n');
  await page.locator('#editor-file:not(.coloured)').waitFor();
  assert.equal(await page.locator('#language').inputValue(), '');
  assert.notEqual(await page.locator('#file').evaluate((field) => getComputedStyle(field).color), 'rgba(0, 0, 0, 0)');
  await page.context().close();
});

const cell = (cell_type, id, source) => ({ cell_type, id, metadata: {}, source, ...(cell_type === 'code' ? { execution_count: 1, outputs: [] } : {}) });
const NOTEBOOK = {
  cells: [
    cell('markdown', 'a1', '# The cart'),
    cell('code', 'b2', ['total = 0\n', 'for price in cart:\n', '    total += price']),
    cell('code', 'c3', 'print(total)'),
  ],
  metadata: {}, nbformat: 4, nbformat_minor: 5,
};

test('a notebook is edited by its cells', async () => {
  const page = await stage.open();
  await fill(page, 'old', 'for price in cart:\n  total  += price');
  await page.locator('#new').fill('for price in cart:\n  total  += round(price)');
  await upload(page, 'cart.ipynb', new TextEncoder().encode(JSON.stringify(NOTEBOOK, null, 1)));
  await page.locator('#cell-bar').waitFor();
  await answered(page);
  assert.equal(await page.locator('#file').inputValue(), 'total = 0\nfor price in cart:\n    total += price');
  assert.equal(await page.locator('#cell option:checked').innerText(), '2: code, b2');
  assert.equal(await verdict(page), 'Landed on lines 2–3');
  await shot(page, 'notebook');
  await page.getByLabel('Cell of the notebook').selectOption('3: code, c3');
  await page.waitForFunction(() => document.querySelector('#file').value === 'print(total)');
  // Also a notebook that is pasted; another text hides the cells.
  await page.locator('#old').fill('# The cart');
  await page.locator('#file').fill(JSON.stringify(NOTEBOOK));
  await page.waitForFunction(() => document.querySelector('#file').value === '# The cart');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.locator('#cell-bar').waitFor({ state: 'hidden' });
  await fill(page, 'file', '{"nbformat": 4, "cells": 3}');
  assert.equal(await page.locator('#file').inputValue(), '{"nbformat": 4, "cells": 3}');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the files of the colours are those of the package', async () => {
  const names = (await (await fetch(`${stage.base}colours.js`)).text()).match(/NAMES = \[([^\]]*)/)[1].match(/\w+/g);
  for (const name of [...names, 'detect', 'tokenize']) {
    const path = name === 'detect' || name === 'tokenize' ? name : `languages/${name}.js`;
    const packed = readFileSync(fileURLToPath(import.meta.resolve(`@speed-highlight/core/${path}`)), 'utf8');
    assert.equal(await (await fetch(`${stage.base}syntax-${name}.js`)).text(), packed, name);
  }
});
