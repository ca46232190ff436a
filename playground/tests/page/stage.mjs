// Shared by the tests: the command that serves the page, a browser, and the texts that a reader of the page sees.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { launch } from './support.mjs';

/** The command serving the page, and a browser. */
export class Stage {
  async begin() {
    this.server = spawn(process.env.FUZZY_EDIT, ['playground', '--addr', '127.0.0.1:0', '--engine', process.env.ENGINE], { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: this.server.stdout })) {
      this.base = line.match(/listening at (\S+)$/)?.[1];
      if (this.base) break;
    }
    assert(this.base, 'the server ended');
    this.browser = await launch();
    this.examples = await (await fetch(`${this.base}examples.json`)).json();
    return this;
  }

  async end() {
    await this.browser?.close();
    this.server.kill();
  }

  /**
   * Opens the page and waits for its first answer. It remembers every request, and what broke the policy or failed. The
   * script runs before those of the page.
   */
  async open(fragment = '', { slowness = 1, script = () => {}, ...options } = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    await context.addInitScript(script);
    const page = await context.newPage();
    // Telephones are slower than what tests run on.
    if (slowness > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowness });
    page.requests = [];
    page.faults = [];
    page.on('request', (request) => page.requests.push(request.url()));
    page.on('websocket', (socket) => page.requests.push(socket.url()));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && page.faults.push(message.text()));
    page.on('pageerror', (error) => page.faults.push(error.stack));
    await page.goto(`${this.base}${fragment && '#'}${fragment}`);
    await answered(page);
    return page;
  }
}

/** Waits until every ladder has answered to what the fields have, the chosen one included. */
export async function answered(page) {
  await page.waitForFunction(() => {
    const ladders = [...document.querySelectorAll('.ladder')];
    const isShown = document.querySelector('#outcome[aria-busy="false"] .verdict h2');
    return isShown && ladders.length > 0 && ladders.every((ladder) => !ladder.classList.contains('none'));
  });
}

/** Puts a text into a field, and waits for the answers to it. */
export async function fill(page, name, text) {
  await page.locator(`#${name}`).fill(text);
  await answered(page);
}

/** Opens a file: typing thousands of lines takes a browser long. It is on the disk: bytes would cross in the page's own thread. */
export async function upload(page, name, bytes) {
  const path = join(mkdtempSync(join(tmpdir(), 'fuzzy-edit-playground-')), name);
  writeFileSync(path, Buffer.from(bytes));
  await page.locator('#upload').setInputFiles(path);
  // A page that reads it may do so at any later time.
  page.once('close', () => rmSync(dirname(path), { recursive: true }));
}

/** Returns a text of so many bytes at least, in which every line is another one. */
export function long(bytes) {
  const lines = [];
  for (let length = 0; length < bytes; length += lines.at(-1).length + 1) lines.push(`    let value_${lines.length} = measure(input[${lines.length}], ${lines.length % 101});`);
  return `${lines.join('\n')}\n`;
}

/** The heading of the answer. */
export const verdict = (page) => page.locator('.verdict h2').first().innerText();

/** The names of the ladders that land the edit, by the page. */
export const lands = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.ladder')].filter((ladder) => ladder.matches('.good, .calm')).map((ladder) => ladder.dataset.ladder));

/** Opens a view. */
export async function view(page, name) {
  await page.getByRole('tab', { name, exact: true }).click();
}

/** The texts of a case, from an example. */
export const texts = ({ file, old, new: replacement }) => ({ file: file.join('\n'), old: old.join('\n'), new: replacement.join('\n') });
