// A project and an empty home for one host, and how programs are run in them.

import { spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The longest that a host may work, in milliseconds. */
const LIMIT = 600_000;

/** A port where nothing listens: a program that leaves loopback fails at once. */
const NOWHERE = 'http://127.0.0.1:9';

/** Everything that a host may find: no settings, no account, no way out. */
export class Place {
  constructor() {
    const work = join(realpathSync(process.env.HOSTS_WORK ?? process.cwd()), 'places');
    mkdirSync(work, { recursive: true });
    this.folder = mkdtempSync(join(work, 'place-'));
    this.home = join(this.folder, 'home');
    this.project = join(this.folder, 'project');
    mkdirSync(this.home);
    mkdirSync(this.project);
    mkdirSync(join(this.folder, 'tmp'));
    this.env = {
      PATH: [dirname(process.env.FUZZY_EDIT), dirname(process.execPath), process.env.PATH].join(':'),
      HOME: this.home,
      // Some hosts believe it rather than where they were started.
      PWD: this.project,
      // Cline takes the root of a repository around the project for the project.
      GIT_CEILING_DIRECTORIES: this.folder,
      // Codex refuses a home below the folder for temporary files.
      TMPDIR: join(this.folder, 'tmp'),
      XDG_CONFIG_HOME: join(this.home, '.config'),
      XDG_DATA_HOME: join(this.home, '.local/share'),
      XDG_CACHE_HOME: join(this.home, '.cache'),
      XDG_STATE_HOME: join(this.home, '.local/state'),
      HTTP_PROXY: NOWHERE,
      HTTPS_PROXY: NOWHERE,
      http_proxy: NOWHERE,
      https_proxy: NOWHERE,
      NO_PROXY: '127.0.0.1,localhost',
      no_proxy: '127.0.0.1,localhost',
      DO_NOT_TRACK: '1',
      // Opencode installs a package for its plugins, and goes on without it.
      npm_config_fetch_retries: '0',
      TERM: 'dumb',
      LANG: 'C.UTF-8',
    };
  }

  /** Writes a file below the home or, by default, the project, and returns its path. */
  write(name, text, below = this.project) {
    const path = join(below, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof text === 'object' && !Buffer.isBuffer(text) ? JSON.stringify(text) : text);
    return path;
  }

  /** Adds a text to the end of a file below the home or, by default, the project. */
  append(name, text, below = this.project) {
    appendFileSync(join(below, name), text);
  }

  /** Returns a file of the project. */
  read(name) {
    return readFileSync(join(this.project, name), 'utf8');
  }

  /** Runs a program in the project until it ends, and returns its exit code and output. */
  async run(argv, { env = {}, input = '' } = {}) {
    const child = spawn(argv[0], argv.slice(1), { cwd: this.project, env: { ...this.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT);
    child.stdin.on('error', () => undefined).end(input);
    const output = { code: null, stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
    output.code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    clearTimeout(timer);
    return output;
  }

  /** Runs a command line with programs by their names. */
  shell(line, programs) {
    for (const [name, argv] of Object.entries(programs)) {
      const text = `#!/bin/sh\nexec ${argv.map((word) => `'${word}'`).join(' ')} "$@"\n`;
      chmodSync(this.write(`bin/${name}`, text, this.folder), 0o755);
    }
    return this.run(['sh', '-c', line], { env: { PATH: `${join(this.folder, 'bin')}:${this.env.PATH}` } });
  }

  remove() {
    try {
      // At the end of a session, the command works on in the background.
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
    } catch (error) {
      // A host that was stopped may write on for longer; what is left is in the target directory.
      if (error.code !== 'ENOTEMPTY') throw error;
    }
  }
}

/** Returns a path in the installed packages. */
export const installed = (path) => join(process.env.HOSTS_PACKAGES ?? process.cwd(), 'node_modules', path);

/** The folder of the packages; the suite runs copies of these files. */
export const INTEGRATIONS = process.env.INTEGRATIONS ?? fileURLToPath(new URL('..', import.meta.url));
