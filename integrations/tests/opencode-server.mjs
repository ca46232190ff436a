// opencode as a server, as its window uses it: prompts and messages are events.

import { spawn } from 'node:child_process';

import { opencode } from './hosts/opencode.mjs';

/** A server of opencode in a place. */
export class OpencodeServer {
  /** Starts it, and returns when the events arrive. */
  static async start(place) {
    const server = new OpencodeServer();
    server.child = spawn(opencode.program[0], ['serve', '--hostname', '127.0.0.1', '--port', '0'], { cwd: place.project, env: place.env });
    server.url = await new Promise((resolve, reject) => {
      let printed = '';
      const read = (text) => {
        printed += text;
        const [url] = printed.match(/http:\/\/127\.0\.0\.1:\d+/) ?? [];
        if (url) resolve(url);
      };
      server.child.stdout.setEncoding('utf8').on('data', read);
      server.child.stderr.setEncoding('utf8').on('data', read);
      server.child.on('close', () => reject(new Error(printed)));
    });
    server.events = lines(await fetch(`${server.url}/event`));
    return server;
  }

  /** Returns the properties of the next event of a type. */
  async next(type) {
    for (;;) {
      const { value, done } = await this.events.next();
      if (done) throw new Error(`no ${type} any more`);
      const event = value.startsWith('data: ') && JSON.parse(value.slice('data: '.length));
      if (event?.type === type) return event.properties;
    }
  }

  async post(path, body) {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(this.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  }

  async stop() {
    const ended = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }
}

/** Returns the lines of a response while they arrive. */
async function* lines(response) {
  let rest = '';
  try {
    for await (const bytes of response.body) {
      const found = (rest + Buffer.from(bytes).toString()).split('\n');
      rest = found.pop();
      yield* found;
    }
  } catch {
    // The server was stopped.
  }
}
