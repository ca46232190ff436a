// The timeline of a worktree, and taking turns back.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { accessible, clicks, eachOf, fits, main, page, reopen, session, shot, stage } from './support.mjs';

const HOSTILE = '<script>document.title = "taken"</script><img src=x onerror=alert(1)>';
const lines = (n) => Array.from({ length: n }, (_, at) => `line ${at + 1}\n`).join('');

eachOf('Shop');

let timeline;

const card = (number) => page.locator('article.turn', { has: page.locator(`#turn-${number}`) });
const button = (name) => page.getByRole('button', { name });

/** Plays five turns in different files and lines. */
async function five() {
  stage.write({ 'a.txt': lines(30), 'b.txt': 'b\n' });
  const change = (...at) => at.reduce((text, line) => text.replace(`line ${line}\n`, `LINE ${line}\n`), lines(30));
  await stage.agent(session, [
    { prompt: 'Add the cart', files: { 'cart.py': 'total = 1\n' }, says: ['Done.'] },
    { prompt: 'Shout twice', files: { 'a.txt': change(5, 20), 'b.txt': 'B\n' }, says: ['Done.'] },
    { prompt: 'Shout at the end', files: { 'a.txt': change(5, 20, 29) }, says: ['Done.'] },
    { prompt: 'Break the test', files: { 'lib/broken.py': 'raise\n' }, says: ['Done.'] },
    { prompt: 'Add the docs', files: { 'docs.md': '# Docs\n' }, says: ['Done.'] },
  ]);
  timeline = await stage.timeline();
  return change;
}

test('turn 2 of 5 is taken back alone, in three clicks from the list of sessions', async () => {
  const change = await five();
  stage.write({ 'mine.txt': 'mine\n' });
  const way = clicks();
  await page.goto(stage.base);
  await way.click(page.getByRole('link', { name: 'Timeline of all turns' }));
  await way.click(card(2).getByRole('link', { name: 'Take this back…' }));
  assert.match(await main(), /Take back turn 2[^]*Shout twice[^]*2 files/);
  assert.equal(await page.locator('.file').count(), 2, 'only its own files');
  await shot(page, 'take-back');
  await way.click(button('Take back the ticked files'));
  assert(way.made() <= 3);
  const files = stage.files();
  assert.deepEqual([files['a.txt'], files['b.txt'], files['mine.txt'], files['docs.md']], [change(29), 'b\n', 'mine\n', '# Docs\n']);
  assert.match(await page.getByRole('status').innerText(), /Taken back: turn 2/);
  assert.match(await card(2).innerText(), /taken back/);
  assert.equal(await card(2).getByRole('link', { name: 'Take this back…' }).count(), 0);
  await shot(page, 'taken-back');
});

test('one file of a turn is taken back in two clicks', async () => {
  const change = await five();
  await page.goto(timeline);
  const way = clicks();
  await way.click(card(2).getByRole('link', { name: 'Take back b.txt' }));
  assert.deepEqual(await page.locator('.file > .tick').evaluateAll((boxes) => boxes.map((box) => box.checked)), [false, true]);
  await way.click(button('Take back the ticked files'));
  assert(way.made() <= 3);
  assert.deepEqual([stage.files()['a.txt'], stage.files()['b.txt']], [change(5, 20, 29), 'b\n']);
  assert.match(await card(2).innerText(), /partly taken back/);
});

test('one hunk, or one line of a hunk, is taken back', async () => {
  const close = lines(12);
  stage.write({ 'far.txt': lines(40), 'close.txt': close });
  const far = (...at) => at.reduce((text, line) => text.replace(`line ${line}\n`, `LINE ${line}\n`), lines(40));
  const near = (...at) => at.reduce((text, line) => text.replace(`line ${line}\n`, `LINE ${line}\n`), close);
  await stage.agent(session, [{ prompt: 'Shout', files: { 'far.txt': far(3, 30), 'close.txt': near(3, 6) } }]);
  await page.goto(await stage.timeline());
  await card(1).getByRole('link', { name: 'Take this back…' }).click();
  // The boxes of hunks and lines appear when the file is not taken back as a whole.
  assert.equal(await page.getByLabel('Take back hunk 2 of far.txt').isVisible(), false);
  await page.getByLabel('Take back far.txt').uncheck();
  await page.getByLabel('Take back close.txt').uncheck();
  await page.getByLabel('Take back hunk 2 of far.txt').check();
  await page.getByLabel('Take back line 6 of close.txt').check();
  await shot(page, 'take-back-parts');
  await button('Take back the ticked files').click();
  assert.deepEqual([stage.files()['far.txt'], stage.files()['close.txt']], [far(3), near(3)]);
  assert.match(await card(1).innerText(), /partly taken back/);
});

test('without a tick, nothing is taken back', async () => {
  await five();
  const files = stage.files();
  await page.goto(timeline);
  await card(2).getByRole('link', { name: 'Take this back…' }).click();
  for (const box of await page.locator('.file > .tick').all()) await box.uncheck();
  await button('Take back the ticked files').click();
  assert.match(await page.getByRole('status').innerText(), /Nothing was ticked/);
  assert.deepEqual(stage.files(), files);
});

test('an undo is undone after a restart, in three clicks', async () => {
  await five();
  const files = stage.files();
  await page.goto(timeline);
  await card(4).getByText('More').click();
  await card(4).getByRole('link', { name: 'Take back everything since…' }).click();
  assert.match(await main(), /Take back turns 4 and 5[^]*Add the docs[^]*Break the test/);
  await button('Take back the ticked files').click();
  assert.equal(stage.files()['docs.md'], undefined);
  assert.equal(stage.files()['lib/broken.py'], undefined);
  assert.match(await card(5).innerText(), /taken back/);
  await stage.stop();
  await stage.serve();
  await page.goto(timeline);
  const way = clicks();
  await way.click(card(5).getByRole('link', { name: 'Undo this…' }));
  await way.click(button('Undo'));
  assert(way.made() <= 3);
  assert.deepEqual(stage.files(), files);
  assert.match(await page.getByRole('status').innerText(), /Brought back: turns 4 and 5/);
  assert.doesNotMatch(await card(5).innerText(), /taken back/);
});

test('a restore to before a turn says the moment, and which changes go', async () => {
  await five();
  stage.write({ 'mine.txt': 'mine\n' });
  await page.goto(timeline);
  await card(2).getByText('More').click();
  await card(2).getByRole('link', { name: 'Restore to before this turn…' }).click();
  assert.match(await main(), /Restore to before turn 2[^]*when turn 2 began[^]*your own changes since then, too/);
  assert.match(await page.locator('.file', { hasText: 'mine.txt' }).innerText(), /goes, too: changes by you or another program/);
  await shot(page, 'restore-before');
  await button('Restore the ticked files').click();
  assert.deepEqual(Object.keys(stage.files()).sort(), ['.gitignore', 'a.txt', 'b.txt', 'cart.py']);
});

test('the turn that changed a line, and the turns of a file, are found in three clicks', async () => {
  await five();
  await page.goto(timeline);
  let way = clicks();
  await way.click(card(4).getByRole('link', { name: 'History of lib/broken.py' }));
  assert.deepEqual(await page.locator('.turn .number').allInnerTexts(), ['4']);
  await way.click(page.getByRole('link', { name: 'Who changed each line of this file?' }));
  assert.match(await page.locator('.blame').innerText(), /turn 4[^\n]*\s1\s+raise/);
  await shot(page, 'blame');
  await way.click(page.getByRole('link', { name: 'turn 4' }));
  assert.match(await main(), /Changes of turn 4[^]*Break the test/);
  assert(way.made() <= 3);
  // The result of a bisect.
  await page.goto(timeline);
  way = clicks();
  await way.click(page.getByText('Which turn broke a test?'));
  assert(await page.getByText('fuzzy-edit turns bisect -- COMMAND').isVisible());
  await page.getByLabel('Then go to turn').fill('4');
  await way.click(button('Go'));
  assert.match(await main(), /Changes of turn 4/);
  assert(way.made() <= 3);
  await page.goto(`${timeline}/blame?none`);
  await page.getByRole('link', { name: 'Back to the timeline' }).click();
  await page.goto(`${timeline}/turns/99`);
  assert.match(await main(), /no turn with this number/);
  await page.getByRole('link', { name: 'Back to the timeline' }).click();
  assert.equal(await page.locator('.turn').count(), 5);
});

test('a user sees their own changes in one click', async () => {
  await five();
  stage.write({ 'mine.txt': 'mine\n' });
  await page.goto(timeline);
  await page.getByRole('link', { name: 'Changes since the last turn' }).click();
  assert.match(await main(), /No turn made these[^]*mine\.txt/);
  await stage.agent(session, [{ prompt: 'Go on', files: { 'c.txt': 'c\n' } }]);
  await page.goto(timeline);
  await page.getByRole('link', { name: '1 file changed outside any turn' }).first().click();
  assert.match(await page.locator('#outside').innerText(), /mine\.txt/);
});

test('the timeline filters by session, file and text, and small diffs are open', async () => {
  await five();
  const other = await stage.session('Other');
  await stage.agent(other, [{ prompt: 'Say hello', files: { 'Hello.txt': lines(60) } }]);
  await page.goto(timeline);
  const numbers = () => page.locator('.turn .number').allInnerTexts();
  assert.deepEqual(await numbers(), ['6', '5', '4', '3', '2', '1']);
  assert.equal((await card(5).locator('.diff .add').innerText()).trim(), '+# Docs');
  assert.equal(await card(6).locator('.diff').count(), 0, '60 lines are not small');
  assert.match(await card(6).innerText(), /Hello\.txt/);
  await page.getByLabel('Session').selectOption({ label: 'Other' });
  await button('Filter').click();
  assert.deepEqual(await numbers(), ['6']);
  await page.getByRole('link', { name: 'All turns' }).click();
  await page.getByLabel('Search').fill('hello');
  await button('Filter').click();
  assert.deepEqual(await numbers(), ['6'], 'by prompt and by file');
  await page.getByLabel('Search').fill('SHOUT');
  await page.getByLabel('File or folder').fill('b.txt');
  await button('Filter').click();
  assert.deepEqual(await numbers(), ['2']);
  await page.getByLabel('File or folder').fill('nowhere');
  await button('Filter').click();
  assert.match(await main(), /No turn fits the filter/);
  assert.doesNotMatch(await main(), /Who changed each line/);
});

test('long timelines are paged', async () => {
  await stage.agent(session, Array.from({ length: 53 }, (_, at) => ({ prompt: `Prompt ${at + 1}` })));
  await page.goto(await stage.timeline());
  assert.equal(await page.locator('.turn').count(), 50);
  await page.getByRole('link', { name: 'Older' }).click();
  assert.deepEqual(await page.locator('.turn .number').allInnerTexts(), ['3', '2', '1']);
  assert.equal(await page.getByRole('link', { name: 'Older' }).count(), 0);
  await page.getByRole('link', { name: 'Newest' }).click();
  assert.equal(await page.locator('.turn').count(), 50);
});

test('an open timeline offers new turns, and nothing moves before they are asked for', async () => {
  await five();
  await reopen({ javaScriptEnabled: true });
  await page.goto(timeline);
  const numbers = () => page.locator('.turn .number').allInnerTexts();
  await card(2).getByText('More').click();
  await page.evaluate(() => window.scrollTo(0, 700));
  const place = () => card(2).evaluate((element) => element.getBoundingClientRect().top);
  const before = await place();
  await stage.agent(session, [{ prompt: 'Sixth', files: { 'six.txt': '6\n' } }]);
  // The page asks by itself; in the following, as if it had just become visible.
  await button('1 new turn').waitFor();
  const look = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await stage.agent(session, [{ prompt: 'Seventh', files: { 'seven.txt': '7\n' } }]);
  await look();
  await button('2 new turns').waitFor();
  assert.deepEqual([await numbers(), await place()], [['5', '4', '3', '2', '1'], before]);
  await shot(page, 'news');
  await button('2 new turns').click();
  await card(7).waitFor();
  assert.deepEqual(await numbers(), ['7', '6', '5', '4', '3', '2', '1']);
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'Seventh');
  assert(await card(2).getByRole('link', { name: 'Restore to before this turn…' }).isVisible(), 'the menu stays open');
  assert.equal(await page.locator('.news button').count(), 0);

  // A turn that begins is new, and its end is a change.
  const { id } = await stage.api('POST', `/sessions/${session}/turns`, { message: 'Eighth' });
  await look();
  await button('1 new turn').click();
  assert.match(await card(8).innerText(), /Eighth[^]*running/);
  stage.write({ 'eight.txt': '8\n' });
  await stage.api('POST', `/sessions/${session}/turns/${id}/end`, { status: 'complete' });
  await look();
  await button('Turns have changed').click();
  await card(8).getByText('1 file').waitFor();
  assert.doesNotMatch(await card(8).innerText(), /running/);

  // A filter only hears of turns that fit it, and older pages of none.
  await page.goto(`${timeline}?text=ninth`);
  await stage.agent(session, [{ prompt: 'Tenth' }, { prompt: 'The ninth' }]);
  await look();
  await button('1 new turn').click();
  await page.getByText('The ninth').waitFor();
  assert.deepEqual(await numbers(), ['10']);
  assert.doesNotMatch(await main(), /No turn fits/);
  await page.goto(`${timeline}?before=5`);
  assert.equal(await page.locator('.news').count(), 0);
  assert.deepEqual(page.violations, []);
});

test('a renamed file counts once in every place', async () => {
  stage.write({ 'old.txt': lines(9) });
  await stage.agent(session, [{ prompt: 'Rename it', files: { 'old.txt': null, 'new.txt': lines(9) } }]);
  await page.goto(await stage.timeline());
  assert.match(await card(1).innerText(), /1 file\b/);
  await card(1).getByRole('link', { name: 'Take this back…' }).click();
  assert.match(await page.locator('#files').innerText(), /1 file\b/);
  await button('Take back the ticked files').click();
  await page.getByRole('link', { name: 'Show its changes' }).click();
  assert.match(await main(), /Taking back turn 1,[^]*· 1 file renamed[^]*Files 1 file\b/);
  await page.getByRole('navigation').getByRole('link', { name: 'Restores' }).click();
  assert.match(await page.locator('.rows').innerText(), /Taking back turn 1,[^]*1 file renamed\nUndo…$/);
});

test('the commits of submodules are named, and stay', async () => {
  const inner = join(stage.repository, 'vendor');
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
  const git = (...args) => execFileSync('git', [...identity, ...args], { cwd: inner, encoding: 'utf8' }).trim();
  const commit = () => { git('commit', '--quiet', '--allow-empty', '--message', 'next'); return git('rev-parse', 'HEAD'); };
  stage.write({ 'vendor/x.txt': 'x\n' });
  git('init', '--quiet');
  const from = commit();
  await stage.hook('turn-begin', 's1', 'Move the submodule');
  const to = commit();
  stage.write({ 'cart.py': 'total = 7\n' });
  await stage.hook('turn-end', 's1');
  await page.goto(await stage.timeline());
  const named = new RegExp(`vendor\\s+${from.slice(0, 10)} → ${to.slice(0, 10)}`);
  assert.match(await card(1).innerText(), named);
  await card(1).getByRole('link', { name: 'Move the submodule' }).click();
  assert.match(await page.locator('#changed').innerText(), named);
  await page.getByRole('link', { name: 'Take this back…' }).click();
  assert.match(await main(), /stay at their commits/);
  assert.match(await main(), named);
  await button('Take back the ticked files').click();
  assert.deepEqual([stage.files()['cart.py'], git('rev-parse', 'HEAD')], ['total = 0\n', to]);
});

test('a conflict names the lines, and each way out of it works', async () => {
  stage.write({ 'a.txt': lines(40) });
  const first = lines(40).replace('line 3\n', 'one\n').replace('line 30\n', 'two\n');
  await stage.agent(session, [
    { prompt: 'First', files: { 'a.txt': first } },
    { prompt: 'Second', files: { 'a.txt': first.replace('one\n', 'uno\n') } },
  ]);
  const after = stage.files();
  await page.goto(await stage.timeline());
  const ask = async () => {
    await page.goto(await stage.timeline());
    await card(1).getByRole('link', { name: 'Take this back…' }).click();
  };
  await ask();
  const conflict = page.locator('.notice.bad');
  assert.match(await conflict.innerText(), /a\.txt, line 3: changed by turn 2/);
  assert.equal(await page.getByLabel('Take back a.txt').isChecked(), false);
  await shot(page, 'conflict');
  // A conflict that is ticked anyway is refused, and nothing is written.
  await page.getByLabel('Take back a.txt').check();
  await button('Take back the ticked files').click();
  assert.match(await main(), /409/);
  assert.deepEqual(stage.files(), after);
  await page.getByRole('link', { name: 'See the conflict' }).click();
  assert.match(await conflict.innerText(), /line 3/);

  await ask();
  await page.getByRole('link', { name: 'Only the other hunks of the file' }).click();
  await button('Take back the ticked files').click();
  assert.equal(stage.files()['a.txt'], after['a.txt'].replace('two\n', 'line 30\n'));
  await page.getByRole('link', { name: 'Undo this…' }).first().click();
  await button('Undo').click();
  await ask();
  await page.getByRole('link', { name: 'Take back turns 1 and 2 together' }).click();
  await button('Take back the ticked files').click();
  assert.equal(stage.files()['a.txt'], lines(40));
  await page.getByRole('link', { name: 'Undo this…' }).first().click();
  await button('Undo').click();
  await ask();
  await page.getByRole('link', { name: 'The whole file as before turn 1' }).click();
  await button('Restore the ticked files').click();
  assert.equal(stage.files()['a.txt'], lines(40));
});

test('files that changed after the plan are named, and nothing is written', async () => {
  await five();
  await page.goto(timeline);
  await card(5).getByRole('link', { name: 'Take this back…' }).click();
  stage.write({ 'docs.md': 'saved meanwhile\n' });
  await button('Take back the ticked files').click();
  assert.match(await page.getByRole('status').innerText(), /Files changed since you looked[^]*docs\.md/);
  assert.equal(stage.files()['docs.md'], 'saved meanwhile\n');
});

test('a session of a host has no choices about its transcript', async () => {
  await stage.hook('turn-begin', 's1', 'Fix the total');
  stage.write({ 'cart.py': 'total = 7\n' });
  await stage.hook('turn-end', 's1');
  await page.goto(await stage.timeline());
  assert.match(await card(1).innerText(), /Fix the total[^]*claude-code[^]*1 file/);
  await card(1).getByRole('link', { name: 'claude-code' }).click();
  assert.equal(await page.getByRole('button', { name: 'Restore to here' }).count(), 0);
  await page.getByRole('link', { name: 'Take this back…' }).click();
  assert.doesNotMatch(await main(), /transcript|message/i);
  await button('Take back the ticked files').click();
  assert.equal(stage.files()['cart.py'], 'total = 0\n');
});

test('hostile prompts, sessions and names are inert', async () => {
  const odd = await stage.session(HOSTILE);
  await stage.agent(odd, [{ prompt: HOSTILE, files: { [`${HOSTILE.replaceAll('/', '')}.py`]: `${HOSTILE}\n`, 'two\nlines': 'y\n' } }]);
  await reopen({ javaScriptEnabled: true });
  await page.goto(await stage.timeline());
  const check = async () => {
    assert((await page.locator('body').innerText()).includes('<script>document.title'));
    assert.equal(await page.locator('script:not([src^="/assets/live-"]), main img').count(), 0);
    assert.notEqual(await page.title(), 'taken');
  };
  await check();
  await card(1).getByRole('link', { name: 'Take this back…' }).click();
  await check();
  await button('Take back the ticked files').click();
  await check();
  assert.deepEqual(Object.keys(stage.files()).sort(), ['.gitignore', 'cart.py'], 'odd names, too');
  await page.goto(`${await stage.timeline()}?text=${encodeURIComponent(HOSTILE)}&file=${encodeURIComponent(HOSTILE)}`);
  assert.equal(await page.locator('script:not([src^="/assets/live-"]), main img').count(), 0);
  assert.deepEqual(page.violations, []);
});

test('the keyboard suffices to take a turn back', async () => {
  await five();
  await page.goto(timeline);
  const reach = async (name) => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => document.activeElement.innerText?.trim());
      if (at === name) return;
    }
    assert.fail(`no way to ${name}`);
  };
  await reach('More ▾'.slice(0, 4));
  await page.keyboard.press('Enter');
  await reach('Take back everything since…');
  await page.keyboard.press('Enter');
  await page.locator('h1', { hasText: 'Take back turn 5' }).waitFor();
  await reach('Take back the ticked files');
  await page.keyboard.press('Enter');
  await page.getByRole('status').waitFor();
  assert.equal(stage.files()['docs.md'], undefined);
});

test('axe finds nothing on the timeline and its plans, at three widths', async () => {
  await five();
  stage.write({ 'b.txt': 'mine\n', 'mine.txt': 'mine\n' });
  await reopen({ javaScriptEnabled: true });
  const check = async (name) => {
    for (const width of [1400, 800, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await accessible(page, `new-${name}-${width}`);
      await fits(page, `${name} at ${width}`);
    }
  };
  await page.goto(timeline);
  await check('timeline');
  await page.setViewportSize({ width: 1400, height: 900 });
  await card(4).getByText('More').click();
  await check('menu');
  await card(2).getByRole('link', { name: 'Take this back…' }).click();
  await page.getByLabel('Take back a.txt').uncheck();
  await check('take-back');
  await page.goto(`${timeline}/take-back?verb=restore&turn=2`);
  await check('restore');
  await page.goto(`${timeline}/take-back?verb=revert&later=yes&turn=4`);
  await check('undo');
  await button('Take back the ticked files').click();
  await check('taken-back');
  await page.getByRole('link', { name: 'Undo this…' }).first().click();
  await check('redo');
  await page.goto(`${timeline}/blame?a%2Etxt`);
  await check('blame');
  await page.goto(`${timeline}/since`);
  await check('since');
});
