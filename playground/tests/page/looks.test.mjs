// How the page looks and how it is used without a mouse: narrow windows, both themes, screen readers, the keyboard.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { Stage, answered, verdict, view } from './stage.mjs';
import { shot } from './support.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = ['Result', 'Side by side', 'Confidence', 'Strategies', 'Ladders'];
const EXAMPLES = ['indentation', 'conflict', 'proposal', 'ambiguous', 'pasted-as-is', 'already-applied'];

let stage;
before(async () => {
  stage = await new Stage().begin();
});
after(() => stage.end());

/** Opens every view of some examples in turn. */
async function everywhere(options, look) {
  for (const example of EXAMPLES) {
    const page = await stage.open(`example=${example}`, options);
    for (const name of VIEWS) {
      await view(page, name);
      await look(page, `${example}-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    assert.deepEqual(page.faults, [], example);
    await page.context().close();
  }
}

for (const width of [320, 390, 768, 1060, 1440, 2560]) {
  test(`nothing sticks out at ${width} pixels`, () =>
    everywhere({ viewport: { width, height: 844 } }, async (page, name) => {
      const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert(wide <= window, `${name}: ${wide} > ${window}`);
      if ([390, 1440].includes(width)) await shot(page, `${name}-${width}`);
    }));
}

for (const colorScheme of ['light', 'dark']) {
  test(`screen readers and weak eyes find their way in ${colorScheme}`, () =>
    everywhere({ colorScheme }, async (page, name) => {
      await page.evaluate(`${AXE};0`);
      const { violations } = await page.evaluate(() => axe.run());
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`), [], name);
      const light = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/)[0] > 128;
      assert.equal(light, colorScheme === 'light');
      await shot(page, `${name}-${colorScheme}`);
    }));
}

test('the help opens at its top', async () => {
  const page = await stage.open('', { viewport: { width: 390, height: 600 } });
  await page.getByRole('button', { name: 'Help and shortcuts' }).click();
  assert.equal(await page.locator('#helper').evaluate((dialog) => dialog.scrollTop), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'helper-title');
  await page.context().close();
});

test('the theme is chosen, and kept', async () => {
  const page = await stage.open('', { colorScheme: 'light' });
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole('button', { name: 'Use the dark theme' }).click();
  const dark = await paper();
  assert.notEqual(dark, light);
  await page.reload();
  await answered(page);
  assert.equal(await paper(), dark);
  await page.getByRole('button', { name: 'Use the light theme' }).click();
  assert.equal(await paper(), light);
  await page.context().close();
});

for (const slowness of [1, 8]) {
  test(`on a narrow window the answer is told at its edge, ${slowness} times slowed down`, async () => {
    for (let times = 0; times < 4; times++) {
      const page = await stage.open('example=conflict', { viewport: { width: 390, height: 844 }, slowness });
      const summary = page.getByRole('button', { name: 'In conflict ↓' });
      await summary.click();
      await page.waitForFunction(() => document.querySelector('#outcome').getBoundingClientRect().top < 200);
      await summary.waitFor({ state: 'hidden' });
      await page.context().close();
    }
  });
}

test('the keyboard is enough', async () => {
  const page = await stage.open('example=quotes');
  const focus = () =>
    page.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const isField = element.closest('.editor') && getComputedStyle(element.closest('.editor')).borderColor !== getComputedStyle(document.querySelector('.editor:not(:focus-within)')).borderColor;
      return { isPage: element === document.body, name: element.id || element.dataset.ladder || element.textContent.trim(), visible: isField || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) };
    });
  /** Presses Tab until this has the focus; whatever has it on the way shows so. */
  const reach = async (name) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const at = await focus();
      // Behind the last one comes the browser's own bar, where there is one.
      if (at.isPage) continue;
      assert(at.visible, `the focus is seen on ${at.name}`);
      if (at.name === name) return;
    }
    assert.fail(`no way to ${name}`);
  };
  await reach('skip');
  await page.keyboard.press('Enter');
  assert.equal((await focus()).name, 'outcome');
  assert.equal(new URL(page.url()).hash, '#example=quotes');
  await reach('adaptive');
  await page.keyboard.press('ArrowRight');
  assert.equal((await focus()).name, 'registered');
  await page.locator('.verdict', { hasText: 'line-trimmed/unicode' }).waitFor();
  await reach('tab-result');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await focus()).name, 'tab-compare');
  await page.locator('.compare').waitFor();
  await page.keyboard.press('Home');
  await page.locator('.result').waitFor();
  // Round the page to the fields, and out of one again.
  await reach('example');
  await reach('file');
  await reach('old');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('return "Hello, stranger";');
  await page.locator('.verdict h2', { hasText: 'line 3' }).waitFor();
  await page.keyboard.press('Escape');
  assert.equal((await focus()).name, 'outcome');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('every shortcut of the help does what it says', async () => {
  const page = await stage.open('example=conflict');
  const press = (key) => page.keyboard.press(key);
  const chosen = () => page.locator('.ladder[aria-checked=true]').getAttribute('data-ladder');
  await press('?');
  const listed = await page.locator('#shortcuts kbd').allInnerTexts();
  assert.deepEqual(listed, ['1', '5', 'f', 'o', 'n', '[', ']', 'a', 'u', 'e', 'E', 'c', 't', '?']);
  await press('3');
  assert.equal(await page.locator('#tab-result').getAttribute('aria-selected'), 'true', 'not while the help is open');
  await press('Escape');
  for (const [key, tab] of [['1', 'result'], ['2', 'pairs'], ['3', 'weights'], ['4', 'strategies'], ['5', 'compare']]) {
    await press(key);
    assert.equal(await page.locator(`#tab-${tab}`).getAttribute('aria-selected'), 'true', key);
  }
  await press(']');
  assert.equal(await chosen(), 'registered');
  await press(']');
  assert.equal(await chosen(), 'conservative');
  await press('[');
  await press('[');
  assert.equal(await chosen(), 'adaptive');
  for (const [key, field] of [['f', 'file'], ['o', 'old'], ['n', 'new']]) {
    await press(key);
    assert.equal(await page.evaluate(() => document.activeElement.id), field);
    await press('e');
    await press('Escape');
  }
  assert.match(await page.locator('#old').inputValue(), /e/, 'in a field they are letters');
  await press('a');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'outcome');
  await press('e');
  await page.waitForFunction(() => document.querySelector('#example').value !== '');
  const first = await page.locator('#example').inputValue();
  await press('e');
  await press('E');
  assert.equal(await page.locator('#example').inputValue(), first);
  await page.locator('#example').selectOption('proposal');
  await page.locator('#use').waitFor();
  await press('a');
  await page.evaluate(() => document.activeElement.blur());
  await press('u');
  await page.locator('.verdict.good').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await press('c');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const before = await page.evaluate(() => document.documentElement.dataset.theme);
  await press('t');
  assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), before);
  // They can be turned off, and stay so.
  await press('?');
  await page.getByLabel('Use these shortcuts').uncheck();
  await press('Escape');
  await page.reload();
  await answered(page);
  await page.locator('#outcome').focus();
  await press('5');
  assert.equal(await page.locator('#tab-result').getAttribute('aria-selected'), 'true');
  assert.match(await verdict(page), /Landed/);
  await page.context().close();
});

test('the help says what each ladder is', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'Help and shortcuts' }).click();
  const said = await page.locator('#meanings dt').allInnerTexts();
  const ladders = await page.locator('.ladder').evaluateAll((all) => all.map(({ dataset }) => dataset.ladder));
  assert.deepEqual(said.sort(), ladders.sort());
  for (const words of await page.locator('#meanings dd').allInnerTexts()) assert(words.endsWith('.'), words);
  await page.context().close();
});

test('it is said what happens, for those who do not see it', async () => {
  const page = await stage.open('example=quotes');
  assert.equal(await page.locator('#said[role=status]').count(), 1);
  await page.keyboard.press('e');
  await page.locator('#said', { hasText: 'Example: Look-alike characters' }).waitFor({ state: 'attached' });
  assert.equal(await page.locator('#said').innerText(), 'Example: Look-alike characters');
  await page.context().close();
});
