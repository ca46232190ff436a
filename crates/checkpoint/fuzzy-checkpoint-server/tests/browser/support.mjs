// Shared by the tests: a git repository, its server, an agent that uses the API, a browser.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, afterEach, before, beforeEach } from 'node:test';
import { chromium } from 'playwright-core';

const program = process.env.FUZZY_EDIT;
const shots = process.env.FUZZY_EDIT_SHOTS;

/** The name of a plan's button, which mentions deleted files. */
export const RESTORE = /^Restore( and delete \d+ files?)?$/;

/** A repository with its own state directory and server. */
export class Stage {
  constructor() {
    this.dir = mkdtempSync(join(tmpdir(), 'fuzzy-edit-page-'));
    this.repository = join(this.dir, 'shop');
    this.log = join(this.dir, 'log');
    this.held = join(this.dir, 'held');
    mkdirSync(this.repository);
    this.git('init', '--quiet', '--initial-branch=main');
    this.write({ 'cart.py': 'total = 0\n', '.gitignore': 'ignored\n' });
    this.commit('first');
  }

  git(...args) {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...identity, ...args], { cwd: this.repository, encoding: 'utf8' });
  }

  commit(message) {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  /** Writes files of the repository; null deletes. */
  write(files) {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.repository, name);
      if (content === null) {
        rmSync(path);
      } else {
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, content);
      }
    }
  }

  /** Reads every file of the repository, except for git's own. */
  files(dir = '') {
    const found = {};
    for (const entry of readdirSync(join(this.repository, dir), { withFileTypes: true })) {
      const name = join(dir, entry.name);
      if (name === '.git') continue;
      if (entry.isDirectory()) Object.assign(found, this.files(name));
      else found[name] = readFileSync(join(this.repository, name), 'utf8');
    }
    return found;
  }

  /** Starts the server, at its previous port if it had one. While the file `held` exists, stopping an agent blocks. */
  async serve(token) {
    const log = (word) => `echo ${word} "$FUZZY_EDIT_SESSION" "$FUZZY_EDIT_GENERATION" >> "${this.log}"`;
    const args = ['serve', '--addr', `127.0.0.1:${this.port ?? 0}`, '--root', this.dir];
    args.push('--stop-command', `sh -c 'while [ -e "${this.held}" ]; do sleep 0.1; done; ${log('stop')}'`);
    args.push('--reset-command', `sh -c '${log('reset')}'`);
    const env = { ...process.env, XDG_STATE_HOME: join(this.dir, 'state'), HOME: this.dir };
    delete env.FUZZY_EDIT_SERVE_TOKEN;
    if (token) env.FUZZY_EDIT_SERVE_TOKEN = token;
    this.server = spawn(program, args, { cwd: this.dir, env, stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: this.server.stdout })) {
      this.base = line.match(/listening at (\S+?)\/?$/)?.[1];
      if (this.base) break;
    }
    assert(this.base, 'the server ended');
    this.port = new URL(this.base).port;
  }

  async stop() {
    const ended = new Promise((resolve) => this.server.once('exit', resolve));
    this.server.kill();
    await ended;
  }

  async end() {
    if (this.server) await this.stop();
    // A child process of git that outlives its parent may still be writing.
    rmSync(this.dir, { recursive: true, maxRetries: 10 });
  }

  /** Sends a request to the API; a failure is an error. */
  async api(method, path, body) {
    const init = { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) };
    const answer = await fetch(`${this.base}/api${path}`, init);
    const json = await answer.json();
    assert(answer.ok, `${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json;
  }

  async session(title) {
    return (await this.api('POST', '/sessions', { worktree: this.repository, title })).id;
  }

  /** Runs an agent in a separate process with turns: [{prompt, files, says, status}]. */
  async agent(session, turns) {
    const work = JSON.stringify({ base: this.base, session, repository: this.repository, turns });
    const agent = spawn(process.execPath, [new URL('agent.mjs', import.meta.url).pathname], { stdio: ['pipe', 'inherit', 'inherit'] });
    agent.stdin.end(work);
    const code = await new Promise((resolve) => agent.once('exit', resolve));
    assert.equal(code, 0, 'the agent failed');
  }

  /** Sends an event of a host to a hook, and waits until it is recorded. */
  async hook(verb, session, prompt = '') {
    const env = { ...process.env, XDG_STATE_HOME: join(this.dir, 'state'), HOME: this.dir };
    const input = JSON.stringify({ session_id: session, cwd: this.repository, prompt });
    execFileSync(program, ['hook', 'claude-code', verb], { cwd: this.repository, env, input });
    const queues = join(this.dir, 'state/fuzzy-edit/turns');
    const waiting = () => readdirSync(queues).flatMap((queue) => readdirSync(join(queues, queue))).filter((file) => file !== 'lock');
    while (existsSync(queues) && waiting().length) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** Returns the path of the timeline of the repository. */
  async timeline() {
    const { worktrees: [{ id }] } = await this.api('GET', '/worktrees');
    return `${this.base}/worktrees/${id}`;
  }

  async bodies(session) {
    const { messages } = await this.api('GET', `/sessions/${session}/messages`);
    return messages.map((message) => message.body);
  }

  async checkpoints(session) {
    return (await this.api('GET', `/sessions/${session}/checkpoints`)).checkpoints;
  }

  async generation(session) {
    const { sessions } = await this.api('GET', '/sessions');
    return sessions.find((row) => row.id === session).generation;
  }

  /** Returns the logged calls of the agent's commands, as [word, session, generation]. */
  calls() {
    const text = existsSync(this.log) ? readFileSync(this.log, 'utf8') : '';
    return text.split('\n').filter(Boolean).map((line) => line.trim().split(' '));
  }

  /** Returns the number of checkpoints; every restore takes one of the state before it. */
  captures() {
    return this.store('for-each-ref', '--format=%(refname)', 'refs/fuzzy-edit/checkpoints').split('\n').filter(Boolean).length;
  }

  /** Runs git in the store of the checkpoints. */
  store(...words) {
    const stores = join(this.dir, 'state/fuzzy-edit/store');
    const [only] = existsSync(stores) ? readdirSync(stores) : [];
    return only ? this.git(`--git-dir=${join(stores, only)}`, ...words) : '';
  }
}

/** Three turns with which most tests begin. */
export const TURNS = [
  { prompt: 'Add a discount', files: { 'cart.py': 'total = 1\n', 'discount.py': 'rate = 0.1\n' }, says: ['I added it.'] },
  { prompt: 'Now the tax', files: { 'cart.py': 'total = 2\n', 'tax/rates.py': 'vat = 0.2\n' }, says: ['Reading …', 'Done.'] },
  { prompt: 'Drop the discount', files: { 'discount.py': null }, says: ['It is gone.'] },
];

/** Starts the browser. */
export function launch() {
  const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
  args.push('--disable-component-update', '--disable-sync');
  // Chromium's own sandbox refuses to run as root.
  if (process.getuid() === 0) args.push('--no-sandbox');
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
  return chromium.launch({ executablePath, args });
}

/** Opens a window without JavaScript that records violations of the content security policy. */
export async function open(browser, options = {}) {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  page.violations = [];
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) page.violations.push(message.text());
  });
  return page;
}

/** What a test works with in a file that calls `eachOf`: a new repository with its server, a window, and a session. */
export let stage, page, session;
let browser;

/** Gives each test of the file a repository with a session of this title. */
export function eachOf(title) {
  before(async () => { browser = await launch(); });
  after(() => browser.close());
  beforeEach(async () => {
    stage = new Stage();
    await stage.serve();
    session = await stage.session(title);
    page = await open(browser);
  });
  afterEach(async () => {
    // A request to a mocked route after the page is closed would fail the whole file.
    await page.unrouteAll({ behavior: 'wait' });
    await page.context().close();
    await stage.end();
  });
}

/** Replaces the window by one with these options. */
export async function reopen(options) {
  await page.context().close();
  page = await open(browser, options);
}

/** Opens the page of the session. */
export const visit = () => page.goto(`${stage.base}/sessions/${session}`);

/** Returns the text of the page. */
export const main = () => page.locator('main').innerText();

/** Counts clicks. */
export function clicks() {
  let made = 0;
  const click = async (place) => { await place.click(); made += 1; };
  return { click, made: () => made };
}

/** Waits until no restore is in progress: the form of a long restore returns early, and the page updates itself. */
export async function settled(page) {
  const busy = page.locator('#notice', { hasText: 'A restore is in progress' });
  do {
    await busy.waitFor({ state: 'hidden', timeout: 60_000 });
    // A page that is still loading has no notice either.
    await page.waitForLoadState();
  } while (await busy.count());
}

/** Clicks twice before the first click has an effect. */
export function clickTwice(button) {
  return button.evaluate((element) => {
    element.click();
    element.click();
  });
}

/** Fails if axe finds anything in a page that runs scripts. Only colours differ in the dark scheme. */
export async function accessible(page, name) {
  await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  for (const [colorScheme, options] of [['light', {}], ['dark', { runOnly: ['color-contrast', 'link-in-text-block'] }]]) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await page.evaluate((options) => window.axe.run(document, options), options);
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), [], `${name} in ${colorScheme}`);
    await shot(page, `${name}-${colorScheme}`);
  }
}

/** Fails if the page has to be scrolled sideways. */
export async function fits(page, name) {
  const [wide, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert(wide <= window, `${name}: ${wide} > ${window}`);
}

/** Saves a screenshot of the page, if `FUZZY_EDIT_SHOTS` is set. */
export async function shot(page, name) {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}
