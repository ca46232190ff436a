// The page's look and safety: markup in texts, narrow windows, both colour schemes, the keyboard.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessible, fits, launch, open, shot, Stage, TURNS } from './support.mjs';

const SCRIPT = '<script>document.title = "taken"</script>';
const NAME = 'odd/<script>document.title=1<img src=x onerror=alert(1)>.py';
const LONG = 'a-word-that-does-not-end-'.repeat(20);
const CODE = `\`\`\`\nfn total(items: &[Item]) -> u64 { ${'items.iter().map(|item| item.price).sum() + '.repeat(8)}0 }\n\`\`\``;

let browser, stage, session, running, addresses;

before(async () => {
  browser = await launch();
  stage = new Stage();
  await stage.serve();
  const empty = await open(browser);
  await empty.goto(stage.base);
  assert((await empty.locator('main').innerText()).includes('There is no session yet'));
  await shot(empty, 'empty');
  await empty.context().close();

  stage.write({ 'binary': 'a\0b\n' });
  session = await stage.session(`A title with ${SCRIPT} in it`);
  const odd = { [NAME]: 'x\n', 'odd/two\nlines': 'y\n', binary: 'c\0d\n', [`deep/${LONG.slice(0, 200)}`]: `${LONG}\n` };
  await stage.agent(session, [
    { prompt: `Say ${SCRIPT}`, files: odd, says: [`Here: ${SCRIPT}\n\n${CODE}\n\nAnd ${LONG}.`, 'one line of many\n'.repeat(60)] },
    ...TURNS,
    { prompt: 'Fetch it', says: ['There is no network.'], status: 'failed' },
  ]);
  // A file name that is not UTF-8, only on disk.
  writeFileSync(Buffer.from(join(stage.repository, 'caf\xe9'), 'latin1'), 'z\n');
  running = await stage.session('Running');
  await stage.agent(running, [{ prompt: 'Work on', says: ['Working …'], status: null }]);

  const [first] = await stage.checkpoints(session);
  const other = await stage.session('Restored');
  await stage.agent(other, TURNS);
  const page = await open(browser);
  await page.goto(`${stage.base}/sessions/${other}`);
  await page.getByRole('button', { name: 'Restore to here' }).nth(1).click();
  await page.getByLabel('Files, transcript and prompt').check();
  await page.getByLabel('Restore beside a running agent').check();
  await page.getByRole('button', { name: /^Restore( and delete \d+ files?)?$/ }).click();
  await page.getByRole('link', { name: 'Undo…' }).waitFor();
  const banner = page.url();
  await page.context().close();
  const [refused] = await stage.checkpoints(running);
  addresses = {
    index: `${stage.base}/`,
    session: `${stage.base}/sessions/${session}`,
    running: `${stage.base}/sessions/${running}`,
    plan: `${stage.base}/sessions/${session}/checkpoints/${first.id}/restore`,
    banner,
    refusal: `${stage.base}/sessions/${running}/checkpoints/${refused.id}/restore`,
    missing: `${stage.base}/sessions/none`,
  };
});
after(async () => {
  await browser.close();
  await stage.end();
});

/** Unfolds all details. */
function unfold(page) {
  return page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
}

test('markup in texts, titles and names is displayed and inert', async () => {
  // JavaScript is on, so only the page itself prevents scripts.
  const page = await open(browser, { javaScriptEnabled: true });
  const texts = {
    index: [`A title with ${SCRIPT} in it`],
    session: [`A title with ${SCRIPT} in it`, `Say ${SCRIPT}`, `Here: ${SCRIPT}`],
    plan: [NAME, '"caf\\xe9"', '"odd/two\\nlines"', SCRIPT],
  };
  for (const [name, expected] of Object.entries(texts)) {
    await page.goto(addresses[name]);
    const text = await page.locator('body').innerText();
    for (const words of expected) assert(text.includes(words), `${name}: ${words}`);
    assert.equal(await page.locator('script:not([src^="/assets/live-"])').count(), 0, name);
    assert.notEqual(await page.title(), 'taken');
  }
  assert.deepEqual(page.violations, []);
  // Check that violations are detected.
  await page.evaluate(() => { document.body.setAttribute('style', 'color: red'); });
  await page.waitForTimeout(0);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(page.violations.length, 1);
  await page.context().close();
});

test('every page fits every window, is light or dark on request, and is accessible', async () => {
  const page = await open(browser, { javaScriptEnabled: true });
  for (const [name, address] of Object.entries(addresses)) {
    await page.goto(address);
    assert.deepEqual(page.violations, [], name);
    await unfold(page);
    const count = (selector) => page.locator(selector).count();
    assert.deepEqual(await Promise.all(['h1', 'main', 'html[lang=en]'].map(count)), [1, 1, 1], name);
    await accessible(page, name);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/)[0] > 128);
    assert.equal(await paper(), false, `${name} is dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    assert.equal(await paper(), true, `${name} is light`);
    for (const width of [320, 360, 768, 1440, 2560]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page, `${name} at ${width}`);
      await shot(page, `${name}-${width}`);
    }
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((element) => element.id));
    assert.equal(new Set(ids).size, ids.length, name);
  }
  await page.context().close();
});

test('the keyboard suffices', async () => {
  const id = await stage.session('By keyboard');
  await stage.agent(id, TURNS);
  const page = await open(browser);
  await page.goto(`${stage.base}/sessions/${id}`);
  /** Presses Tab until an element with this name has the focus. */
  const reach = async (name) => {
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const element = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(element);
        return { name: element.innerText?.trim(), visible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
      });
      if (name instanceof RegExp ? name.test(at.name) : at.name === name) {
        assert(at.visible, `the focus is visible on ${name}`);
        return;
      }
    }
    assert.fail(`no way to ${name}`);
  };
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Skip to the content');
  await page.keyboard.press('Enter');
  await reach('Restore to here');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Restore to here' }).waitFor();
  // Another session's agent works in the same files.
  await page.getByLabel('Restore beside a running agent').focus();
  await page.keyboard.press('Space');
  await reach(/^Restore( and delete \d+ files?)?$/);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Undo…' }).waitFor();
  assert.deepEqual(await stage.bodies(id), [TURNS[0].prompt]);
  await reach('Undo…');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Undo' }).waitFor();
  await page.getByLabel('Go on beside a running agent').focus();
  await page.keyboard.press('Space');
  await reach('Undo');
  await page.keyboard.press('Enter');
  await page.locator('[role=status]', { hasText: 'undone' }).waitFor();
  assert.equal((await stage.bodies(id)).length, 7);
  await page.context().close();
});

test('failed turns are marked and long texts folded', async () => {
  const page = await open(browser);
  await page.goto(addresses.session);
  assert.equal(await page.locator('.failed').count(), 1);
  assert((await page.locator('.failed').innerText()).includes('There is no network.'));
  const folded = page.locator('details.fold', { hasText: '60 lines' });
  assert.equal(await folded.locator('.text').isVisible(), false);
  await folded.locator('summary').click();
  assert.equal(await folded.locator('.text').isVisible(), true);
  assert.equal(await page.locator('.text pre, pre', { hasText: 'fn total' }).count(), 1);
  await page.context().close();
});

test('a very long text is truncated, and whole on its own page', async () => {
  const id = await stage.session('Endless');
  const endless = `${SCRIPT} ${'word '.repeat(40_000)}end`;
  await stage.agent(id, [{ prompt: 'Talk', says: [endless] }]);
  const page = await open(browser);
  await page.goto(`${stage.base}/sessions/${id}`);
  assert((await page.content()).length < 100_000);
  await unfold(page);
  const [answer] = await Promise.all([page.waitForResponse(/messages/), page.getByRole('link', { name: /^The whole text/ }).click()]);
  assert.equal(answer.headers()['content-type'], 'text/plain; charset=utf-8');
  assert.equal(await answer.text(), endless);
  await page.context().close();
});

test('long sessions are paged', async () => {
  const id = await stage.session('Long');
  await stage.agent(id, [{ prompt: 'Count', says: Array.from({ length: 250 }, (_, n) => `number ${n + 1}.`) }]);
  const page = await open(browser);
  await page.goto(`${stage.base}/sessions/${id}`);
  assert((await page.locator('main').innerText()).includes('Page 3 of 3'));
  assert.equal(await page.locator('.text', { hasText: /^\s*number 250\.\s*$/ }).count(), 1);
  await page.getByRole('link', { name: 'First' }).first().click();
  assert.equal(await page.getByRole('button', { name: 'Restore to here' }).count(), 1);
  assert.equal(await page.locator('article').count(), 100);
  await page.context().close();
});

test('many changed files are paged, and long diffs have their own pages', async () => {
  const id = await stage.session('Many');
  const many = (n) => Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`many/${String(at).padStart(3, '0')}`, `${n}\n`.repeat(2000)]));
  stage.write(many(1));
  await stage.agent(id, [{ prompt: 'Change them all', files: many(2) }]);
  const page = await open(browser);
  await page.goto(`${stage.base}/sessions/${id}`);
  await page.getByRole('button', { name: 'Restore to here' }).click();
  // Long pages are still loading when their beginning is visible.
  await page.waitForLoadState();
  assert((await page.locator('main').innerText()).includes('Page 1 of 3'));
  assert.equal(await page.locator('.files .file').count(), 100);
  assert((await page.content()).length < 1_500_000, 'not every diff at once');
  await page.locator('.files summary').first().click();
  await page.getByRole('link', { name: 'the whole diff' }).first().click();
  await page.waitForURL(/\/diff\?/);
  assert.equal(await page.locator('.diff .add').count(), 2000);
  await page.goBack();
  await page.getByRole('link', { name: 'Last' }).first().click();
  await page.waitForURL(/page=3$/);
  assert.equal(await page.locator('.files .file').count(), 50);
  await page.context().close();
});
