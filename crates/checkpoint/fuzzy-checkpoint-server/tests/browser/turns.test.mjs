// The changes of turns, restores of single files, the history of restores, and live updates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible, clicks, eachOf, main, page, reopen, RESTORE, session, settled, shot, stage, visit } from './support.mjs';

const lines = (n) => Array.from({ length: n }, (_, at) => `line ${at}\n`).join('');

eachOf('Files');

const restore = () => page.getByRole('button', { name: RESTORE });

test('the page of a turn lists its 40 changed files', async () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`lib/part${at}/mod.py`, `x = ${at}\n`]));
  await stage.agent(session, [{ prompt: 'Write forty', files: many, says: ['Done.'] }]);
  await visit();
  await page.getByRole('link', { name: 'Changed 40 files +40' }).click();
  assert.equal(await page.locator('.file').count(), 40);
  for (const name of Object.keys(many)) assert.equal(await page.getByText(name, { exact: true }).count(), 1, name);
  await page.locator('summary', { hasText: 'lib/part7/mod.py' }).click();
  assert.equal((await page.locator('.diff:visible .add').innerText()).trim(), '+x = 7');
  assert.equal(stage.captures(), 2, 'no further capture');
});

test('a rename is one entry, in the turn and in the plan', async () => {
  stage.write({ 'old_name.py': lines(30) });
  await stage.agent(session, [{ prompt: 'Rename it', files: { 'old_name.py': null, 'lib/new_name.py': lines(30) + 'more\n' } }]);
  await visit();
  await page.getByRole('link', { name: 'Changed 1 file +1' }).click();
  assert.equal(await page.locator('.file').count(), 1);
  assert.match(await page.locator('.file').innerText(), /renamed\s+old_name\.py → lib\/new_name\.py\s+\+1/);
  await page.locator('.file summary').click();
  assert.match(await page.locator('.diff').innerText(), /\+more/);
  await page.getByRole('link', { name: 'Take this back…' }).click();
  assert.match(await page.locator('.file').innerText(), /renamed\s+old_name\.py → lib\/new_name\.py/);
  assert.match(await main(), /1 file\b/);
  // A renamed file has both of its paths.
  assert(await page.locator('.tick').isChecked());
  await page.getByRole('button', { name: 'Take back the ticked files' }).click();
  assert.deepEqual(Object.keys(stage.files()).sort(), ['.gitignore', 'cart.py', 'old_name.py']);
  await shot(page, 'rename');
});

test('three of ten files are restored, and the transcript does not change', async () => {
  const ten = (n) => Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`${at}.py`, `${n}\n`]));
  stage.write(ten('before'));
  await stage.agent(session, [{ prompt: 'Change ten', files: ten('after'), says: ['Done.'] }]);
  const said = await stage.bodies(session);
  await visit();
  await page.getByRole('button', { name: 'Restore to here' }).click();
  assert.equal(await page.getByText('Only ticked files and hunks are restored').isVisible(), false);
  for (const name of ['2.py', '5.py', '7.py']) await page.getByLabel(`Only ${name}`).check();
  assert.equal(await page.getByText('Only ticked files and hunks are restored').isVisible(), true);
  assert.equal(await page.getByLabel('Files and transcript').isVisible(), false);
  assert.equal(await page.getByText('Messages to trim').first().isVisible(), false, 'none is');
  await shot(page, 'ticked');
  await restore().click();
  await settled(page);
  const expected = { ...ten('after'), '2.py': 'before\n', '5.py': 'before\n', '7.py': 'before\n' };
  const { 'cart.py': _, '.gitignore': __, ...files } = stage.files();
  assert.deepEqual(files, expected);
  assert.deepEqual(await stage.bodies(session), said);
  assert.match(await page.getByRole('status').innerText(), /3 files written/);
  await page.getByRole('link', { name: 'Undo…' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  assert.equal(stage.files()['2.py'], 'after\n');
});

test('one hunk of a file is restored, and the others remain', async () => {
  const changed = (...at) => Array.from({ length: 40 }, (_, line) => (at.includes(line) ? `changed ${line}\n` : `line ${line}\n`)).join('');
  stage.write({ 'long.py': changed(), 'short.py': 'one\n' });
  await stage.agent(session, [{ prompt: 'Change three places', files: { 'long.py': changed(2, 20, 38), 'short.py': 'two\n' }, says: ['Done.'] }]);
  const said = await stage.bodies(session);
  await visit();
  await page.getByRole('button', { name: 'Restore to here' }).click();
  await page.getByRole('link', { name: 'Unfold all diffs' }).click();
  // A file with one hunk has only the file's own box.
  assert.equal(await page.getByRole('checkbox', { name: /^Only hunk/ }).count(), 3);
  await page.getByRole('checkbox', { name: 'Only hunk 2 of long.py' }).check();
  assert.equal(await page.getByText('Only ticked files and hunks are restored').isVisible(), true);
  await shot(page, 'hunks');
  await restore().click();
  await settled(page);
  assert.deepEqual([stage.files()['long.py'], stage.files()['short.py']], [changed(2, 38), 'two\n']);
  assert.deepEqual(await stage.bodies(session), said);
  await page.getByRole('link', { name: 'Undo…' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  assert.equal(stage.files()['long.py'], changed(2, 20, 38));
});

test('an undone restore can be repeated', async () => {
  await stage.agent(session, [
    { prompt: 'One', files: { 'a.py': '1\n' }, says: ['Done.'] },
    { prompt: 'Two', files: { 'a.py': '2\n' }, says: ['Done.'] },
  ]);
  await visit();
  const both = await stage.bodies(session);
  await page.getByRole('article', { name: 'Turn 2' }).getByRole('button', { name: 'Restore to here' }).click();
  await restore().click();
  await settled(page);
  const restored = await stage.bodies(session);
  // The prompt remains, but its turn's changes are no longer counted.
  assert.match(await page.getByRole('article', { name: 'Turn 2' }).innerText(), /not counted: restore \w+ took it back/);
  for (const [name, file, said] of [['Undo', '2\n', both], ['Redo', '1\n', restored], ['Undo', '2\n', both]]) {
    await page.getByRole('link', { name: `${name}…` }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    assert.equal(stage.files()['a.py'], file, name);
    assert.deepEqual(await stage.bodies(session), said, name);
  }
});

test('times are local times', async () => {
  await stage.agent(session, [{ prompt: 'One', files: { 'a.py': '1\n' } }]);
  await visit();
  const time = () => page.getByRole('article', { name: 'Turn 1' }).locator('time').first();
  assert.match(await time().innerText(), /UTC$/, 'without a script');
  await reopen({ javaScriptEnabled: true, timezoneId: 'Asia/Kathmandu', locale: 'en-GB' });
  await visit();
  const at = new Date(await time().getAttribute('datetime'));
  const zone = { timeZone: 'Asia/Kathmandu' };
  assert.equal(await time().innerText(), at.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', ...zone }));
  assert.match(await time().getAttribute('title'), /UTC$/);
});

test('the running turn of a long session is one click away', async () => {
  await stage.agent(session, Array.from({ length: 55 }, (_, at) => ({ prompt: `Prompt ${at}`, says: ['Done.'] })));
  await stage.agent(session, [{ prompt: 'Still at it', files: { 'a.py': '1\n' }, says: ['Working.'], status: null }]);
  await page.goto(`${stage.base}/sessions/${session}?page=1`);
  assert.equal(await page.getByText('Still at it').count(), 0);
  await page.getByRole('link', { name: 'To the running turn' }).click();
  assert(await page.getByText('Still at it').isVisible());
});

test('a new user finds each thing within three clicks, and an undo within four', async () => {
  await stage.agent(session, [
    { prompt: 'One', files: { 'a.py': '1\n', 'b.py': '1\n' } },
    { prompt: 'Two', files: { 'a.py': '2\n', 'b.py': '2\n' } },
    { prompt: 'Three', files: { 'a.py': '3\n', 'b.py': '3\n' } },
  ]);
  const enter = async (way) => {
    await page.goto(stage.base);
    await way.click(page.getByRole('link', { name: 'Files' }));
  };
  // Find the changes of turn 3.
  let way = clicks();
  await enter(way);
  await way.click(page.getByRole('article', { name: 'Turn 3' }).getByRole('link', { name: /^Changed 2 files/ }));
  assert.match(await main(), /Changes of turn 3[^]*a\.py[^]*b\.py/);
  assert(way.made() <= 3);
  // Restore only a.py, starting from the session's page.
  await visit();
  way = clicks();
  await way.click(page.getByRole('article', { name: 'Turn 3' }).getByRole('button', { name: 'Restore to here' }));
  await way.click(page.getByLabel('Only a.py'));
  await way.click(restore());
  await settled(page);
  assert.deepEqual([stage.files()['a.py'], stage.files()['b.py']], ['2\n', '3\n']);
  assert(way.made() <= 3);
  // Undo the last restore, long after its notice has disappeared.
  await stage.agent(session, [{ prompt: 'Four', files: { 'c.py': 'c\n' } }]);
  way = clicks();
  await enter(way);
  await way.click(page.getByRole('link', { name: 'Restores' }));
  await way.click(page.getByRole('link', { name: 'Undo…' }));
  await way.click(page.getByRole('button', { name: 'Undo' }));
  await settled(page);
  assert.equal(stage.files()['a.py'], '3\n');
  // The plan of the undo is one click more.
  assert(way.made() <= 4);
});

test('changes outside any turn are listed separately', async () => {
  await stage.agent(session, [{ prompt: 'One', files: { 'a.py': 'agent\n' } }]);
  stage.write({ 'notes.txt': 'mine\n' });
  await stage.agent(session, [{ prompt: 'Two', files: { 'b.py': 'agent\n' } }]);
  stage.write({ 'later.txt': 'mine\n' });
  await visit();
  await page.getByRole('link', { name: '1 file changed before it, outside any turn' }).click();
  assert.match(await page.locator('#changed').innerText(), /b\.py/);
  assert.doesNotMatch(await page.locator('#changed').innerText(), /notes\.txt/);
  assert.match(await page.locator('#outside').innerText(), /new\s+notes\.txt/);
  await page.locator('#outside').getByRole('link', { name: 'Show the diff' }).click();
  assert.match(await page.locator('.diff').innerText(), /\+mine/);
  await visit();
  await page.getByRole('button', { name: 'Restore to here' }).first().click();
  const marked = await page.locator('.file', { hasText: 'outside any turn' }).allInnerTexts();
  assert.deepEqual(marked.map((text) => text.match(/\S+\.\w+/)[0]), ['later.txt', 'notes.txt']);
});

test('a restore that deletes files is highlighted', async () => {
  await stage.agent(session, [{ prompt: 'Add', files: { 'new.py': 'x\n', 'cart.py': 'total = 1\n' } }]);
  await visit();
  await page.getByRole('button', { name: 'Restore to here' }).click();
  const button = page.getByRole('button', { name: 'Restore and delete 1 file' });
  assert.equal(await button.evaluate((element) => element.classList.contains('danger')), true);
  assert.match(await page.locator('.file', { hasText: 'new.py' }).innerText(), /^delete/);
  assert.match(await page.locator('.file', { hasText: 'cart.py' }).innerText(), /^change back/);
});

test('each restore has a page of its changes', async () => {
  await stage.agent(session, [{ prompt: 'One', files: { 'cart.py': 'total = 1\n', 'new.py': 'x\n' } }]);
  await visit();
  await page.getByRole('button', { name: 'Restore to here' }).click();
  await restore().click();
  await settled(page);
  await page.getByRole('link', { name: 'Restores' }).click();
  assert.match(await main(), /done[^]*1 file written, 1 deleted/);
  await page.getByRole('link', { name: /^Restore, / }).click();
  assert.match(await main(), /Changes of a restore[^]*changed\s+cart\.py[^]*deleted\s+new\.py/);
  await page.locator('summary', { hasText: 'cart.py' }).click();
  assert.match(await page.locator('.diff:visible').innerText(), /-total = 1\s*\+total = 0/);
});

test('a running turn is updated without a reload', async () => {
  await reopen({ javaScriptEnabled: true });
  await stage.agent(session, [{ prompt: 'Work', files: { 'a.py': '1\n' }, says: ['word\n'.repeat(60)], status: null }]);
  await visit();
  let loads = 0;
  page.on('load', () => { loads += 1; });
  await page.locator('details.fold summary').click();
  const { messages: [{ id: turn }] } = await stage.api('GET', `/sessions/${session}/messages`);
  await page.getByRole('link', { name: 'Changed 1 file so far, +1 −0' }).waitFor();
  stage.write({ 'b.py': '1\n2\n' });
  await stage.api('POST', `/sessions/${session}/messages`, { turn, role: 'assistant', body: 'Nearly there.' });
  await page.locator('.text', { hasText: 'Nearly there.' }).waitFor();
  await page.getByRole('link', { name: 'Changed 2 files so far, +3 −0' }).waitFor();
  assert.equal(await page.locator('details.fold').evaluate((fold) => fold.open), true, 'unfolded parts remain open');
  await stage.api('POST', `/sessions/${session}/turns/${turn}/end`, {});
  await page.getByRole('link', { name: 'Changed 2 files +3' }).waitFor();
  await page.getByRole('button', { name: 'Restore to here' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'End the turn' }).count(), 0);
  assert.equal(loads, 0);
  assert.deepEqual(page.violations, []);

  // Messages that a restore trims disappear from the page, too.
  const [checkpoint] = await stage.checkpoints(session);
  await stage.api('POST', `/sessions/${session}/checkpoints/${checkpoint.id}/restore`, {});
  await page.locator('.text', { hasText: 'Nearly there.' }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Undo…' }).waitFor();
});

test('a notice appears while the server is gone', async () => {
  await stage.agent(session, [{ prompt: 'One', files: { 'a.py': '1\n' } }]);
  await reopen({ javaScriptEnabled: true });
  await visit();
  const gone = page.getByText('The server does not answer');
  assert.equal(await gone.isVisible(), false);
  await stage.stop();
  await gone.waitFor();
  await stage.serve();
  await gone.waitFor({ state: 'hidden' });
  await stage.agent(session, [{ prompt: 'Two', files: { 'a.py': '2\n' } }]);
  await page.getByRole('article', { name: 'Turn 2' }).waitFor();
});

test('keys move between turns, and a dialog lists them', async () => {
  await reopen({ javaScriptEnabled: true });
  await stage.agent(session, ['One', 'Two', 'Three'].map((prompt) => ({ prompt, files: { 'a.py': `${prompt}\n` } })));
  await visit();
  const at = () => page.evaluate(() => document.activeElement.innerText);
  await page.keyboard.press('j');
  assert.equal(await at(), 'Turn 1');
  await page.keyboard.press('j');
  assert.equal(await at(), 'Turn 2');
  await page.keyboard.press('k');
  assert.equal(await at(), 'Turn 1');
  await page.keyboard.press('?');
  assert.equal(await page.getByRole('dialog', { name: 'Keys' }).isVisible(), true);
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await page.keyboard.type('3');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#turn-3$/);
  assert.deepEqual(page.violations, []);
});

test('the search finds messages and links to them', async () => {
  await stage.agent(session, [
    { prompt: 'One', says: Array.from({ length: 120 }, (_, at) => `number ${at}.`) },
    { prompt: 'Two', says: ['So **be** it.', 'A Needle <b>here</b>', JSON.stringify({ name: 'bash', input: { command: 'ls -l' } })] },
  ]);
  await visit();
  assert.equal(await page.locator('.markdown strong', { hasText: 'be' }).count(), 1);
  assert.equal(await page.locator('details.tool summary').innerText().then((text) => text.startsWith('bash: ls -l')), true);
  await page.getByLabel('Search').fill('number 7.');
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: 'number 7.' }).click();
  assert.equal(await page.locator(':target').innerText().then((text) => text.includes('number 7.')), true);
  await page.getByLabel('Search').fill('needle <B>');
  await page.getByRole('button', { name: 'Find' }).click();
  assert.match(await main(), /1 message with[^]*A Needle <b>here<\/b>[^]*turn 2/);
});

test('axe finds nothing', async () => {
  stage.write({ 'old.py': lines(20) });
  await stage.agent(session, [
    { prompt: 'One', files: { 'cart.py': 'total = 1\n', 'old.py': null, 'lib/new.py': lines(20), 'lib/b.py': 'b\n' }, says: ['Done.'] },
    { prompt: 'Two', files: { 'cart.py': 'total = 2\n' }, says: ['Done.'] },
  ]);
  stage.write({ 'mine.txt': 'mine\n' });
  await stage.agent(session, [{ prompt: 'Three', files: { 'cart.py': 'total = 3\n' }, says: ['Done.'] }]);
  const running = await stage.session('Running');
  await reopen({ javaScriptEnabled: true });
  /** Checks the page with axe, with all details unfolded. */
  const check = async (name) => {
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
    await accessible(page, `axe-${name}`);
  };
  await page.goto(stage.base);
  await check('index');
  await visit();
  await check('session');
  await page.getByRole('article', { name: 'Turn 3' }).getByRole('link', { name: /^Changed/ }).click();
  await check('turn');
  await visit();
  await page.getByRole('button', { name: 'Restore to here' }).first().click();
  await check('plan');
  await page.locator('.tick').first().check();
  await check('ticked');
  await restore().click();
  await settled(page);
  await check('restored');
  await page.getByRole('link', { name: 'Restores' }).click();
  await check('history');
  await page.getByRole('link', { name: /^Restore/ }).last().click();
  await check('restore');
  await page.keyboard.press('?');
  await check('keys');
  await page.goto(`${stage.base}/sessions/${session}/search?text=done`);
  await check('search');
  await stage.agent(running, [{ prompt: 'Work', says: ['So.'], status: null }]);
  await page.goto(`${stage.base}/sessions/${running}`);
  await check('running');
});
