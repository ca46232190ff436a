// Measures in the browser how soon the first answer is there after loading, later ones after a key, and the one to a large
// file, and how long the page stands still for that, in milliseconds.
import { Stage, answered, long, upload, view } from './stage.mjs';

const ROUNDS = 9;
const KEYS = 30;
const LINES = 2_000;
const LARGE = 10 << 20;

const median = (times) => times.sort((a, b) => a - b)[times.length >> 1];
const stage = await new Stage().begin();

/** Resolves when the chosen ladder's answer to the text as it is now is on the page, with the time that it took. */
const key = (page, letter) =>
  page.evaluate(
    (letter) =>
      new Promise((resolve) => {
        const [root, field] = [document.documentElement, document.querySelector('#old')];
        const started = performance.now();
        new MutationObserver((_, observer) => {
          observer.disconnect();
          // Until it is painted.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - started)));
        }).observe(root, { attributeFilter: ['data-answered'] });
        field.value += letter;
        field.dispatchEvent(new Event('input'));
      }),
    letter,
  );

const first = [];
for (let round = 0; round < ROUNDS; round++) {
  const page = await stage.open();
  // From the beginning of the navigation to the answer on the page.
  first.push(await page.evaluate(() => performance.getEntriesByName('answered')[0].startTime));
  await page.context().close();
}

const line = (at) => `    let value_${at} = measure(input[${at}], ${at % 101});`;
const page = await stage.open();
const lines = Array.from({ length: LINES }, (_, at) => line(at));
await upload(page, 'long.rs', lines.join('\n'));
await page.locator('#file-facts', { hasText: '2,000 lines' }).waitFor();
await page.locator('#new').fill('let value_1000 = compute(input[1000], 91);\nlet value_1001 = compute(input[1001], 92);');
await page.locator('#old').fill('');
await answered(page);
const old = 'let value_1000 = mesure(input[1000], 91);\nlet value_1001 = measure(input[1001], 92);';
await page.locator('#old').fill(old.slice(0, -KEYS));
await answered(page);
const later = [];
for (const letter of old.slice(-KEYS)) later.push(await key(page, letter));
await page.context().close();

/** Notes the longest time between two frames from now on, which is how long the page does not follow its user. */
const watch = (page) =>
  page.evaluate(() => {
    let last;
    globalThis.longest = 0;
    requestAnimationFrame(function frame(now) {
      // The time stamp of a frame is when it began, which may be before a long task was over.
      now = Math.max(now, performance.now());
      globalThis.longest = Math.max(globalThis.longest, now - (last ?? now));
      last = now;
      requestAnimationFrame(frame);
    });
  });

const large = await stage.open();
await watch(large);
const begun = performance.now();
await upload(large, 'large.rs', Buffer.from(long(LARGE)));
await large.locator('#file-facts', { hasText: '10.0 MB' }).waitFor();
await large.locator('#new').fill('let value_150000 = compute(input[150000], 15);');
await large.locator('#old').fill('let value_150000 = measur(input[150000], 15);');
await large.locator('.verdict h2', { hasText: 'Landed on line 150,001' }).waitFor();
const answer = performance.now() - begun;
await answered(large);
for (const name of ['Side by side', 'Confidence', 'Strategies', 'Ladders', 'Result']) await view(large, name);
await large.getByRole('button', { name: 'Later lines' }).click();
await large.locator('#part', { hasText: 'Lines 150,0' }).waitFor();
const frame = await large.evaluate(() => globalThis.longest);
await large.context().close();
await stage.end();
for (const [what, time, most] of [
  [`the first answer, from the start of loading, median of ${ROUNDS}`, median(first), 300],
  [`after a key, file of ${LINES} lines, median of ${KEYS}`, median(later), 100],
  ['the same, the slowest', Math.max(...later), 100],
  [`file of ${LARGE >> 20} MB, from opening it`, answer, 10_000],
  ['the same, the longest frame', frame, 200],
])
  console.log(`${what}: ${time.toFixed(1)} ms, at most ${most}: ${time <= most ? 'holds' : 'MISSED'}`);
