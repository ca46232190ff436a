// Restores to an earlier turn and their undo: the page, the files on disk, the API.
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { clicks, clickTwice, eachOf, main, page, reopen, RESTORE, session, settled, shot, stage, TURNS, visit } from './support.mjs';

eachOf('Prices');

const restoreTo = (turn) => page.getByRole('button', { name: 'Restore to here', exact: true }).nth(turn - 1).click();
const confirm = async () => {
  await page.getByRole('button', { name: RESTORE }).click();
  await settled(page);
};
const undo = async () => {
  await page.getByRole('link', { name: 'Undo…' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await settled(page);
};

/** Opens the plan of a turn. */
async function plan(turn) {
  await visit();
  await restoreTo(turn);
  assert.equal(await page.locator('h1').innerText(), 'Restore to here');
}

test('three turns, a restore to the first, its undo, and another turn after a restore', async () => {
  const before = stage.files();
  await stage.agent(session, TURNS);
  const done = stage.files();
  const said = await stage.bodies(session);
  assert.equal((await stage.checkpoints(session)).filter((row) => row.kind === 'turn').length, 3);

  await page.goto(stage.base);
  await page.getByRole('link', { name: 'Prices' }).click();
  assert.equal(await page.getByRole('button', { name: 'Restore to here' }).count(), 3);
  await restoreTo(1);
  const planned = await main();
  for (const words of ['cart.py', 'tax/rates.py', 'It is gone.', 'Now the tax']) assert(planned.includes(words), words);
  await page.locator('summary', { hasText: 'cart.py' }).click();
  assert.equal((await page.locator('.diff .add').first().innerText()).trim(), '+total = 0');
  assert.deepEqual(stage.files(), done, 'a plan changes nothing');
  await confirm();

  assert.equal(new URL(page.url()).pathname, `/sessions/${session}`);
  const banner = await page.getByRole('status').innerText();
  assert.match(banner, /1 file written, 1 deleted/);
  assert.match(banner, /6 messages trimmed/);
  assert.deepEqual(stage.files(), before);
  assert.deepEqual(await stage.bodies(session), ['Add a discount']);
  assert.equal((await stage.checkpoints(session)).filter((row) => row.kind === 'turn').length, 1);
  const resets = stage.calls();
  assert.equal(resets.length, 1);
  assert.deepEqual(resets[0].slice(0, 2), ['reset', session]);
  assert.equal(await stage.generation(session), Number(resets[0][2]));

  await undo();
  assert.match(await page.getByRole('status').innerText(), /undone/);
  assert.deepEqual(stage.files(), done);
  assert.deepEqual(await stage.bodies(session), said);
  assert.equal((await stage.checkpoints(session)).filter((row) => row.kind === 'turn').length, 3);
  assert.equal(await page.getByRole('link', { name: 'Undo…' }).count(), 0);

  // Restore once more and begin another turn, in a new generation.
  await plan(1);
  await confirm();
  const generation = await stage.generation(session);
  await stage.agent(session, [{ prompt: 'Another way', files: { 'other.py': 'x\n' }, says: ['So.'] }]);
  assert.deepEqual(await stage.bodies(session), ['Add a discount', 'Another way', 'So.']);
  assert.equal(await stage.generation(session), generation);
  assert.equal(stage.calls().at(-1)[2], String(generation));
  assert.deepEqual(page.violations, []);
});

test('two clicks are one restore', async () => {
  await stage.agent(session, TURNS);
  await plan(1);
  const [action, csrf, key, seen] = await Promise.all([
    page.locator('form#restore').getAttribute('action'),
    page.locator('input[name=csrf]').getAttribute('value'),
    page.locator('input[name=key]').getAttribute('value'),
    page.locator('input[name=seen]').getAttribute('value'),
  ]);
  const captures = stage.captures();
  await clickTwice(page.getByRole('button', { name: RESTORE }));
  await page.getByRole('link', { name: 'Undo…' }).waitFor();
  // Post the same form again, twice concurrently.
  const form = { csrf, key, seen, choice: 'after' };
  const again = () => page.request.post(stage.base + action, { form, maxRedirects: 0 });
  const answers = await Promise.all([again(), again()]);
  assert.deepEqual(answers.map((answer) => answer.status()), [303, 303]);
  assert.equal(answers[0].headers().location, answers[1].headers().location);
  assert.equal(stage.captures(), captures + 1);
  assert.equal(stage.calls().length, 1);
  assert.deepEqual(await stage.bodies(session), ['Add a discount']);

  await visit();
  await page.getByRole('link', { name: 'Undo…' }).click();
  await clickTwice(page.getByRole('button', { name: 'Undo' }));
  await page.getByRole('status').filter({ hasText: 'undone' }).waitFor();
  assert.equal(stage.captures(), captures + 2);
  assert.equal((await stage.bodies(session)).length, 7);
});

test("the browser's back button restores nothing", async () => {
  await stage.agent(session, TURNS);
  await plan(1);
  await confirm();
  await page.getByRole('link', { name: 'Undo…' }).waitFor();
  const [captures, files] = [stage.captures(), stage.files()];
  await page.goBack();
  assert.equal(await page.locator('h1').innerText(), 'Restore to here');
  await page.goForward();
  await page.reload();
  assert.equal(stage.captures(), captures);
  assert.deepEqual(stage.files(), files);
  assert.equal(stage.calls().length, 1);
});

test('a running agent prevents a restore, and is stopped only on request', async () => {
  await stage.agent(session, [TURNS[0], { ...TURNS[1], status: null }]);
  const files = stage.files();
  await visit();
  assert.equal(await page.getByRole('button', { name: 'Restore to here' }).count(), 1, 'only at the ended turn');
  assert((await main()).includes('this turn is running'));
  const [answer] = await Promise.all([page.waitForResponse(/restore/), restoreTo(1)]);
  assert.equal(answer.status(), 200, 'the plan is available');
  assert((await main()).includes('An agent is running'));
  assert((await main()).includes('This is the current plan of a restore'));
  assert.equal(await page.getByRole('button', { name: /^Restore/ }).count(), 0);
  assert.deepEqual(stage.files(), files);

  await page.getByRole('link', { name: 'Stop the agent and restore' }).click();
  assert((await main()).includes('It is stopped first'));
  await confirm();
  await page.getByRole('link', { name: 'Undo…' }).waitFor();
  assert.deepEqual(stage.calls().map(([word]) => word), ['stop', 'reset']);
  assert.deepEqual(await stage.bodies(session), ['Add a discount']);
});

test('a turn whose agent is gone is ended manually', async () => {
  await stage.agent(session, [TURNS[0], { ...TURNS[1], says: [], status: null }]);
  await visit();
  await page.getByRole('button', { name: 'End the turn' }).click();
  assert.deepEqual(stage.calls().map(([word]) => word), ['stop']);
  assert.equal(await page.getByRole('button', { name: 'End the turn' }).count(), 0);
  assert.equal(await page.locator('.prompt', { hasText: TURNS[1].prompt }).getByText('failed').count(), 1);
  assert.equal(await page.getByRole('button', { name: 'Restore to here' }).count(), 2);
});

test('new messages of an agent are one click away', async () => {
  await stage.agent(session, [{ ...TURNS[0], status: null }]);
  await visit();
  const { messages } = await stage.api('GET', `/sessions/${session}/messages`);
  for (const words of ['Nearly there.', 'There.']) {
    await stage.api('POST', `/sessions/${session}/messages`, { turn: messages[0].id, role: 'assistant', body: words });
    await page.getByRole('link', { name: 'Show new messages' }).click();
    await page.locator('.text', { hasText: new RegExp(`^${words}`) }).waitFor();
  }
});

for (const javaScriptEnabled of [false, true]) {
  test(`a long restore shows its progress ${javaScriptEnabled ? 'with' : 'without'} the script`, async () => {
    writeFileSync(stage.held, '');
    await stage.agent(session, [...TURNS, { prompt: 'Work on', status: null }]);
    await reopen({ javaScriptEnabled });
    const [first] = await stage.checkpoints(session);
    await page.goto(`${stage.base}/sessions/${session}/checkpoints/${first.id}/restore?force=yes`);
    await page.getByRole('button', { name: RESTORE }).click();
    await page.locator('#notice', { hasText: 'A restore is in progress' }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/sessions/${session}`);
    assert.match(await main(), /A running agent is stopped/);
    await shot(page, 'in-progress');
    rmSync(stage.held);
    await page.getByRole('link', { name: 'Undo…' }).waitFor();
    assert.match(await page.getByRole('status').innerText(), /1 file written, 1 deleted/);
    assert.deepEqual(await stage.bodies(session), ['Add a discount']);
    assert.deepEqual(page.violations, []);
  });
}

test('the files of a restore are counted without a reload', async () => {
  await stage.agent(session, TURNS);
  await reopen({ javaScriptEnabled: true });
  // Mocked progress, because the server is too fast to observe here.
  const part = (written) => `<section class="notice" id="notice"><div data-files><progress max="30" value="${written}"></progress><span data-n="written">${written}</span><span data-n="placed">0</span></div></section>`;
  let fetched = 0;
  await page.route(`${stage.base}/sessions/${session}`, async (route) => {
    fetched += 1;
    const answer = await route.fetch();
    const body = (await answer.text()).replace('data-part="notice">', `data-part="notice">${part(0)}`);
    await route.fulfill({ response: answer, body });
  });
  const event = (written, placed) => `event: progress\ndata: ${JSON.stringify({ state: 'restoring', restore_files: { written, to_write: 10, placed, to_place: 20 } })}\n\n`;
  await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: event(0, 0) + event(10, 7) }));
  await visit();
  await page.locator('[data-n=placed]', { hasText: '7' }).waitFor();
  assert.equal(await page.locator('[data-n=written]').innerText(), '10');
  assert.equal(await page.locator('progress').evaluate((bar) => bar.value), 17);
  assert(fetched <= 2, `${fetched}: counts alone cause no fetch`);
});

test('the token is the password of a login', async () => {
  await stage.agent(session, TURNS);
  const files = stage.files();
  await stage.stop();
  const token = 'a-token-for-the-browser';
  await stage.serve(token);
  const refused = await page.request.get(`${stage.base}/sessions/${session}`);
  assert.equal(refused.status(), 401);
  assert((await refused.text()).includes('The token is required'));
  await reopen({ httpCredentials: { username: 'anyone', password: token } });
  await plan(1);
  await confirm();
  await undo();
  await page.getByRole('status').filter({ hasText: 'undone' }).waitFor();
  assert.deepEqual(stage.files(), files);
});

test('a trimmed prompt can be edited and sent again', async () => {
  await stage.agent(session, TURNS);
  await plan(2);
  await page.getByLabel('Files, transcript and prompt').check();
  await confirm();
  assert.equal(await page.getByLabel('The prompt').inputValue(), 'Now the tax');
  assert.deepEqual(await stage.bodies(session), ['Add a discount', 'I added it.']);
});

test('only the files, and only the transcript', async () => {
  await stage.agent(session, TURNS);
  const [files, said] = [stage.files(), await stage.bodies(session)];
  await plan(1);
  await page.getByLabel('Transcript only').check();
  await confirm();
  assert.match(await page.getByRole('status').innerText(), /No file was changed/);
  assert.deepEqual(stage.files(), files);
  assert.deepEqual(await stage.bodies(session), ['Add a discount']);
  await undo();
  assert.deepEqual(await stage.bodies(session), said);

  await plan(1);
  await page.getByLabel('Files only').check();
  await confirm();
  assert.match(await page.getByRole('status').innerText(), /transcript was not changed/);
  assert.equal(stage.files()['cart.py'], 'total = 0\n');
  assert.deepEqual(await stage.bodies(session), said);
  assert.equal(await page.getByRole('button', { name: 'Restore to here' }).count(), 3);
});

test('after a new message, an undo restores only the files', async () => {
  await stage.agent(session, TURNS);
  const files = stage.files();
  await plan(1);
  await confirm();
  const banner = page.url();
  await stage.agent(session, [{ prompt: 'Go on', says: ['Gone on.'] }]);
  await page.goto(banner);
  await undo();
  assert.match(await page.getByRole('status').innerText(), /transcript does not change/);
  assert.deepEqual(stage.files(), files);
  assert.deepEqual(await stage.bodies(session), ['Add a discount', 'Go on', 'Gone on.']);
});

test('the branch is moved back on request', async () => {
  const first = stage.git('rev-parse', 'HEAD');
  await stage.agent(session, [TURNS[0]]);
  stage.commit('the discount');
  const second = stage.git('rev-parse', 'HEAD');
  await plan(1);
  await confirm();
  assert.match(await page.getByRole('status').innerText(), /branch was not moved; it has 1 newer commit/);
  assert.equal(stage.git('rev-parse', 'HEAD'), second);
  await undo();
  await plan(1);
  await page.getByLabel('Move the branch back').check();
  await confirm();
  assert.match(await page.getByRole('status').innerText(), /branch was moved back/);
  assert.equal(stage.git('rev-parse', 'HEAD'), first);
});

test('a file in no checkpoint obstructs the restore', async () => {
  stage.write({ table: 'small\n' });
  // The second checkpoint has no such file; the new file at its path is ignored.
  const [gone, ignored] = [{ table: null }, { '.gitignore': 'table\n' }];
  await stage.agent(session, [{ prompt: 'Drop the table', files: gone }, { prompt: 'Ignore it', files: ignored }]);
  stage.write({ table: 'ignored, and in no checkpoint\n' });
  await plan(1);
  assert((await main()).includes('1 path in the way'));
  assert((await main()).includes('table'));
  assert.equal(await page.getByRole('button', { name: RESTORE }).count(), 0);
  stage.write({ table: null });
  await page.getByRole('link', { name: 'Check again' }).click();
  await confirm();
  assert.equal(stage.files().table, 'small\n');
});

test('a form from before a restart of the server is refused', async () => {
  await stage.agent(session, TURNS);
  const files = stage.files();
  await plan(1);
  await stage.stop();
  await stage.serve();
  const [answer] = await Promise.all([page.waitForResponse(/restore/), confirm()]);
  assert.equal(answer.status(), 403);
  assert((await main()).includes('This form is out of date'));
  assert.deepEqual(stage.files(), files);
  await page.getByRole('link', { name: 'See the plan again' }).click();
  await confirm();
  assert.deepEqual(await stage.bodies(session), ['Add a discount']);
});

test('error pages have a next step and the right status', async () => {
  await stage.agent(session, TURNS);
  const [first, second] = await stage.checkpoints(session);
  const at = (id) => `${stage.base}/sessions/${session}/checkpoints/${id}/restore`;
  const status = async (url) => (await page.goto(url)).status();
  assert.equal(await status(`${stage.base}/sessions/none`), 404);
  assert.equal(await status(at('none')), 404);
  assert.equal(await status(`${stage.base}/elsewhere`), 404);
  assert((await main()).includes('Not found'));
  assert.equal(await status(`${at(first.id)}?page=none`), 400);
  assert((await main()).includes('The request is invalid'));
  await page.goto(at(first.id));
  await confirm();
  assert.equal(await status(at(second.id)), 409);
  assert((await main()).includes('This checkpoint is hidden'));
  const refs = stage.store('for-each-ref', '--format=%(refname)', 'refs/fuzzy-edit/checkpoints').split('\n');
  const ref = refs.find((ref) => ref.endsWith(first.id));
  // With its commit, the next start would find it again.
  const commit = stage.store('rev-parse', '--path-format=absolute', '--git-path', 'objects', ref).trim().split('\n');
  stage.store('update-ref', '-d', ref);
  rmSync(`${commit[0]}/${commit[1].slice(0, 2)}/${commit[1].slice(2)}`);
  await stage.stop();
  await stage.serve();
  assert.equal(await status(at(first.id)), 410);
  assert((await main()).includes('This checkpoint is gone'));
});
