// Answers to edits that are typed, taken from an example, proposed, and opened from a file.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { Stage, answered, fill, lands, texts, upload, verdict, view } from './stage.mjs';

let stage;
before(async () => {
  stage = await new Stage().begin();
});
after(() => stage.end());

/** Returns the text that the button copies. */
async function copied(page) {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => { document.querySelector('#said').textContent = ''; });
  await page.getByRole('button', { name: 'Copy the result' }).click();
  // The worker writes the result, so it arrives after the click.
  await page.locator('#said', { hasText: 'Copied.' }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('it opens on an example that lands', async () => {
  const page = await stage.open();
  assert.equal(await verdict(page), 'Landed on lines 15–16');
  assert.equal(await page.locator('#example').inputValue(), stage.examples[0].id);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('a needle with wrong indentation lands as it is typed', async () => {
  const page = await stage.open();
  await fill(page, 'file', 'fn main() {\n\tif ready {\n\t\tlet a = 1;\n\t\tstart(a);\n\t}\n}\n');
  await page.locator('#new').fill('   let a = 2;\n   start(a);');
  await page.locator('#old').fill('');
  await page.locator('#old').pressSequentially('   let a = 1;\n   start(a);');
  await page.locator('.verdict h2', { hasText: 'Landed on lines 3–4' }).waitFor();
  await answered(page);
  assert.equal(await copied(page), 'fn main() {\n\tif ready {\n\t\tlet a = 2;\n\t\tstart(a);\n\t}\n}\n');
  assert.match(await page.locator('.result').innerText(), /let a = 2;/);
  // And when the old text goes wrong, it is refused.
  await page.locator('#old').pressSequentially('\nnothing_like_this();\nat_all();\nin(the).file();');
  await page.locator('.verdict.bad').waitFor();
  await page.context().close();
});

test('every example shows what it says', async () => {
  const page = await stage.open();
  for (const example of stage.examples) {
    const { shows } = example;
    await page.locator('#example').selectOption(example.id);
    await page.locator('#story', { hasText: example.says }).waitFor();
    await answered(page);
    const heading = await verdict(page);
    if (shows.code === 'ok') assert.match(heading, example.all ? /^Landed in \d+ places$/ : /^Landed on lines? /, example.id);
    else assert.doesNotMatch(heading, /Landed/, example.id);
    const [first, last] = shows.lines ?? [];
    if (shows.code === 'ok' && !example.all) assert.equal(heading, `Landed on ${first === last ? `line ${first}` : `lines ${first}–${last}`}`, example.id);
    assert.deepEqual((await lands(page)).sort(), [...shows.lands].sort(), example.id);
    assert.equal(await page.locator('#use').count(), shows.proposal ? 1 : 0, example.id);
    if (shows.undone) assert((await page.locator('.verdict').innerText()).includes(shows.undone[0]), example.id);
    await view(page, 'Result');
    const written = shows.writes && new Set(await page.locator('.result .row.put code, .result .row.same code').evaluateAll((all) => all.map((code) => code.textContent.replace(/[·⍽]/g, ' ').replace(/→ {3}/g, '\t'))));
    for (const line of shows.writes ?? []) assert(written.has(line.replace(/\r$/, '')), `${example.id}: ${line}`);
    for (const name of ['Side by side', 'Confidence', 'Strategies', 'Ladders']) {
      await view(page, name);
      assert((await page.locator('#panel').innerText()).length > 20, `${example.id}: ${name}`);
    }
    await view(page, 'Result');
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('each line that lands says whose it is', async () => {
  const page = await stage.open('example=forgotten-line');
  const origins = await page.locator('.result .row:has(.origin:not(:empty))').evaluateAll((rows) => rows.map((row) => [row.querySelector('code').textContent.trim(), row.querySelector('.origin').textContent]));
  assert.deepEqual(origins, [
    ['ReadHeaderTimeout: 5 * time.Second,', 'file'],
    ['// Slow clients hold a connection no longer than this.', 'file'],
    ['WriteTimeout: 60 * time.Second,', 'new'],
    ['}', 'file'],
  ]);
  assert.deepEqual(await page.locator('.result mark.of-new').allInnerTexts(), ['60']);
  await page.context().close();
});

test('why was it refused, and which ladder would have taken it: three clicks at the most', async () => {
  const page = await stage.open('example=conflict');
  // Without a click: the reason, the difference, and what every ladder would have done.
  const answer = await page.locator('.verdict').innerText();
  assert.match(answer, /both differ from the old text/);
  assert.match(answer, /Because the file has a different value where the edit changes one/);
  assert.match(answer, /Next step: To take the new text/);
  assert.match(answer, /code conflict · rule different-value/);
  assert.match(answer, /from_secs\(30\)[^]*from_secs\(20\)/);
  assert.match(answer, /line 13 has 30, the old text 10, the new text 20/);
  assert.deepEqual(await lands(page), ['boocode', 'reference', 'registered']);
  // One more: what one of them writes.
  await page.getByRole('radio', { name: /^boocode/ }).click();
  await page.locator('.verdict.good', { hasText: 'best-window/boocode' }).waitFor();
  assert.match(await page.locator('.result .row.put').innerText(), /from_secs\(20\)/);
  await page.context().close();
});

test('a proposal is put in and lands', async () => {
  const page = await stage.open('example=proposal');
  assert.match(await verdict(page), /Refused/);
  await page.getByRole('button', { name: 'Use it' }).click();
  await page.locator('.verdict.good').waitFor();
  assert((await page.locator('#old').inputValue()).includes('result  +=  price'));
  assert((await copied(page)).includes('"""Adds up what everything costs."""'));
  await page.context().close();
});

test('every strategy of every ladder is listed with its candidates', async () => {
  const page = await stage.open('example=indentation');
  await view(page, 'Strategies');
  await page.evaluate(() => document.querySelectorAll('.strategies').forEach((ladder) => (ladder.open = true)));
  const shown = await page.locator('.strategies').evaluateAll((all) => all.map((ladder) => [ladder.querySelector('b').textContent, ladder.querySelectorAll('ol > li').length]));
  assert.deepEqual(shown, [['conservative', 4], ['opencode', 3], ['full', 9], ['full-guarded', 9], ['boocode', 4], ['reference', 9], ['adaptive', 2], ['registered', 23]]);
  const taken = page.locator('.strategies', { hasText: 'adaptive' }).locator('li.taken').first();
  assert.match(await taken.innerText(), /alignment[^]*Lines 15–16[^]*similarity 1\.000/);
  await page.context().close();
});

test('an empty page is neutral, and says what to enter', async () => {
  const page = await stage.open();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await answered(page);
  assert.equal(await verdict(page), 'No old text yet');
  assert.equal(await page.locator('.verdict.idle').count(), 1);
  assert.doesNotMatch(await page.locator('#ladders').innerText(), /✗|✓/);
  assert.match(await page.locator('#panel').innerText(), /The result appears here/);
  await page.context().close();
});

test('only a ladder that computes a confidence shows one', async () => {
  const page = await stage.open('example=indentation');
  assert.match(await page.locator('.verdict').innerText(), /Found by alignment, [<>\d. ]+ % sure/);
  await page.getByRole('radio', { name: /^full / }).click();
  await page.locator('.verdict', { hasText: 'ladder full ' }).waitFor();
  assert.doesNotMatch(await page.locator('.verdict').innerText(), /%|sure/);
  await view(page, 'Ladders');
  const cells = await page.locator('.compare tr:has(.short)').evaluateAll((rows) => rows.filter((row) => row.querySelector('button')).map((row) => [row.querySelector('button').textContent, row.querySelector('.short').textContent]));
  assert.deepEqual(cells.filter(([, confidence]) => confidence).map(([name]) => name), ['adaptive']);
  await view(page, 'Confidence');
  assert.match(await page.locator('#panel').innerText(), /The ladder full has no confidence/);
  await page.context().close();
});

test('a case is copied as commands that a shell runs, and as a test case', async () => {
  const page = await stage.open('example=indentation');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('#endings').selectOption('crlf');
  await fill(page, 'file', "it's 100 % \\n\nend");
  await fill(page, 'old', "it's 100 % \\n");
  await fill(page, 'new', "x''' = 1");
  const copied = async (name) => {
    await page.evaluate(() => { document.querySelector('#said').textContent = ''; });
    await page.getByRole('button', { name }).click();
    await page.locator('#said', { hasText: 'Copied.' }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  const dir = mkdtempSync(join(tmpdir(), 'fuzzy-edit-copied-'));
  const env = { ...process.env, PATH: `${dirname(process.env.FUZZY_EDIT)}:${process.env.PATH}`, XDG_STATE_HOME: dir };
  const answer = execFileSync('sh', ['-euc', await copied('Copy as command')], { cwd: dir, env, encoding: 'utf8' });
  assert.match(answer, /^\+x''' = 1/m);
  const written = ['file.txt', 'old.txt', 'new.txt'].map((name) => readFileSync(join(dir, name), 'utf8'));
  assert.deepEqual(written, ["it's 100 % \\n\r\nend", "it's 100 % \\n", "x''' = 1"]);
  rmSync(dir, { recursive: true });
  assert.equal(await copied('Copy as test case'), [
    '[[lands]]', 'name = "from the playground"', String.raw`file = "it's 100 % \\n\r\nend"`,
    "needle = '''", String.raw`it's 100 % \n'''`, `new = "x''' = 1"`, '',
  ].join('\n'));
  await page.context().close();
});

test('the features that made the confidence add up to it', async () => {
  const page = await stage.open('example=conflict');
  await view(page, 'Confidence');
  const rows = await page.locator('.weights tbody tr').evaluateAll((all) => all.map((row) => [row.cells[0].textContent, Number(row.cells[3].textContent.replace('−', '-'))]));
  // The features between are those of the fitted model.
  assert.deepEqual([rows[0][0], rows.at(-1)[0], rows.length > 3], ['start', 'sum', true]);
  const sum = rows.slice(0, -1).reduce((total, [, adds]) => total + adds, 0);
  assert(Math.abs(sum - rows.at(-1)[1]) < 0.05, `${sum}`);
  const said = await page.locator('.lead b').innerText();
  assert.equal(said, `${(100 / (1 + Math.exp(-rows.at(-1)[1]))).toFixed(1)} %`);
  assert((await page.locator('#panel').innerText()).includes('Ruled out'));
  await page.context().close();
});

test('a file is opened with its line ends, and what is no text is not', async () => {
  const page = await stage.open();
  await upload(page, 'a.txt', 'one\r\ntwo\r\nthree\r\n');
  await fill(page, 'old', 'two');
  await fill(page, 'new', '2\n2½');
  assert.equal(await page.locator('#endings').inputValue(), 'crlf');
  assert.equal(await copied(page), 'one\r\n2\r\n2½\r\nthree\r\n');
  await upload(page, 'b.bin', [0xff, 0xfe, 0x00]);
  await page.locator('#notice', { hasText: 'b.bin is not text in UTF-8.' }).waitFor();
  assert.equal(await page.locator('#file').inputValue(), 'one\ntwo\nthree\n', 'the file stays');
  await upload(page, 'mixed.txt', 'one\r\ntwo\n');
  await page.locator('#notice', { hasText: 'mixes line ends' }).waitFor();
  await page.context().close();
});

test('a file that is dropped is opened', async () => {
  const page = await stage.open();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['dropped here\n'], 'a.txt', { type: 'text/plain' }));
    document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  });
  await page.waitForFunction(() => document.querySelector('#file').value === 'dropped here\n');
  await page.context().close();
});

test('New empties every field', async () => {
  const page = await stage.open('example=ambiguous');
  await page.locator('#all').check();
  await page.locator('#endings').selectOption('crlf');
  await page.getByRole('radio', { name: /^full-guarded/ }).click();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await answered(page);
  for (const name of ['file', 'old', 'new', 'example']) assert.equal(await page.locator(`#${name}`).inputValue(), '', name);
  assert.equal(await page.locator('#all').isChecked(), false);
  assert.equal(await page.locator('#endings').inputValue(), 'lf');
  assert.equal(await page.locator('.ladder[aria-checked=true]').getAttribute('data-ladder'), 'adaptive');
  assert.equal(await page.locator('#story').innerText(), '');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'file');
  assert.equal(await page.locator('#file-facts').innerText(), '0 lines');
  await page.context().close();
});

test('the lines that are counted are those that have a number', async () => {
  const page = await stage.open();
  for (const [text, lines] of [['a', 1], ['a\n', 1], ['', 0], ['a\nb\n\n', 3], ['\n', 1]]) {
    await page.locator('#file').fill(text);
    const numbers = await page.locator('.gutter pre').first().innerText();
    assert.equal(numbers, Array.from({ length: lines }, (_, at) => at + 1).join('\n'), JSON.stringify(text));
    assert.equal(await page.locator('#file-facts').innerText(), lines === 1 ? '1 line' : `${lines} lines`);
  }
  await page.context().close();
});

test('half a character is refused before the engine could change it', async () => {
  const page = await stage.open();
  await page.evaluate(() => {
    const field = document.querySelector('#old');
    field.value = 'a\ud800';
    field.dispatchEvent(new Event('input'));
  });
  await page.locator('.verdict.bad', { hasText: 'lone surrogate' }).waitFor();
  await page.context().close();
});

test('markup in texts is shown and inert', async () => {
  const page = await stage.open();
  const markup = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
  for (const name of ['file', 'old']) await fill(page, name, `${markup}\n`);
  await fill(page, 'new', `${markup}!\n`);
  for (const name of ['Result', 'Side by side', 'Strategies', 'Ladders']) await view(page, name);
  assert.equal(await page.title(), 'fuzzy-edit playground');
  assert.equal(await page.locator('main img, main script').count(), 0);
  await page.context().close();
});

test('an answer to an older text never takes the place of a newer one', async () => {
  const page = await stage.open('example=indentation');
  const { file } = texts(stage.examples[0]);
  await page.evaluate((file) => {
    const type = (name, text) => {
      const field = document.querySelector(`#${name}`);
      field.value = text;
      field.dispatchEvent(new Event('input'));
    };
    // A question that takes a while, and at once the next one.
    type('file', Array.from({ length: 20_000 }, (_, at) => `    let value_${at} = measure(input[${at}]);`).join('\n'));
    type('old', 'let value_1 = mesure(inputs[1]);\nlet value_3 = measured(input[2]);');
    type('file', file);
    type('old', 'return sorted(self.items)');
    type('new', 'return list(self.items)');
  }, file);
  await answered(page);
  assert.equal(await verdict(page), 'Landed on line 20');
  await page.waitForTimeout(300);
  assert.equal(await verdict(page), 'Landed on line 20');
  await page.context().close();
});

test('an edit names its lines in each way, and the file shows them', async () => {
  const page = await stage.open();
  await fill(page, 'file', 'fn f() {\n    a();\n    b();\n}\n\nfn g() {\n    b();\n}\n');
  const bands = () => page.locator('#editor-file .band').evaluateAll((all) => all.map((band) => [band.style.top, band.style.height]));
  const says = async (where, old, last, numbers, heading, output) => {
    await page.locator('#where').selectOption(where);
    await page.locator('#old').fill(old);
    if (last !== undefined) await page.locator('#last').fill(last);
    if (numbers !== undefined) await page.locator('#numbers').fill(numbers);
    await page.locator('.verdict h2', { hasText: heading }).waitFor();
    await answered(page);
    if (output) assert.equal(await copied(page), output);
  };
  await fill(page, 'new', 'fn f() {}');
  await says('first', 'fn f() {', '}', '', 'Landed on lines 1–4', 'fn f() {}\n\nfn g() {\n    b();\n}\n');
  assert.deepEqual(await bands(), [['8px', '80px']]);
  const address = await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve(location.hash), 600)));
  assert.match(address, /^#2\./);
  await says('lines', 'fn g() {', '', '2-4', 'Landed on lines 6–8');
  await says('after', 'fn f() {', undefined, undefined, 'Landed on line 1', 'fn f() {\nfn f() {}\n    a();\n    b();\n}\n\nfn g() {\n    b();\n}\n');
  await says('before', 'fn g() {', undefined, undefined, 'Landed on line 6');
  assert.equal(await page.locator('#all').isDisabled(), true);
  const again = await stage.open(address.slice(1));
  assert.equal(await verdict(again), 'Landed on lines 1–4');
  assert.deepEqual([await again.locator('#where').inputValue(), await again.locator('#last').inputValue()], ['first', '}']);
  assert.deepEqual([...page.faults, ...again.faults], []);
  await again.context().close();
  await page.context().close();
});
