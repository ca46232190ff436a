// Makes the logs for the tests of `replay --from` with the real hosts, in a folder outside every repository:
// `HOSTS_WORK=FOLDER node logs.mjs crates/surfaces/fuzzy-edit-cli/tests/logs [HOST…]`.
//
// The model reads a file, sends an edit that the host carries out, one with wrong indentation, one of a text that is not
// there, one of a file that it has not read, and one of a file that it has written. Only the lines and rows of messages are
// kept, without long texts for people, and the folder is renamed.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { claudeCode } from './hosts/claude-code.mjs';
import { cline } from './hosts/cline.mjs';
import { codex } from './hosts/codex.mjs';
import { copilot } from './hosts/copilot.mjs';
import { gemini } from './hosts/gemini.mjs';
import { opencode } from './hosts/opencode.mjs';
import { Model } from './model.mjs';
import { Place } from './place.mjs';

const CART = 'class Cart:\n\tdef total(self):\n\t\treturn sum(self.prices)\n\n\tdef count(self):\n\t\treturn len(self.items)\n';
const NEW = 'a = 1\nb = 2\n';
const TOTAL = '    def total(self):\n        return sum(self.prices)';

/** The first call, the call that writes a file, and the log without anything else, of each host. */
const HOSTS = [
  {
    host: claudeCode,
    begin: (path) => claudeCode.read(path),
    create: (path) => ({ name: 'Write', arguments: { file_path: path, content: NEW } }),
    log: (home) => ['session.jsonl', lines(join(home, '.claude/projects'), ({ message }) => /tool_(use|result)/.test(JSON.stringify(message ?? '')))],
  },
  {
    host: codex,
    begin: () => codex.shell('cat cart.py'),
    create: () => ({ name: 'exec', arguments: `text(await tools.apply_patch(${JSON.stringify('*** Begin Patch\n*** Add File: new.py\n+a = 1\n+b = 2\n*** End Patch')}));` }),
    log: (home) => ['rollout-2026.jsonl', lines(join(home, '.codex/sessions'), ({ type, payload }) => type === 'turn_context' || /tool_call|item_completed/.test(payload.type))],
  },
  {
    host: opencode,
    begin: (path) => opencode.read(path),
    create: (path) => ({ name: 'write', arguments: { filePath: path, content: NEW } }),
    log: (home) => ['opencode.sql', rows(join(home, '.local/share/opencode/opencode.db'))],
  },
  {
    host: gemini,
    begin: (path) => gemini.read(path),
    create: (path) => gemini.write(path, NEW),
    log: (home) => ['session-2026.jsonl', lines(join(home, '.gemini/tmp'), ({ toolCalls }) => toolCalls)],
  },
  {
    host: copilot,
    begin: (path) => ({ name: 'view', arguments: { path } }),
    create: (path) => ({ name: 'create', arguments: { path, file_text: NEW } }),
    log: (home) => ['events.jsonl', lines(join(home, '.copilot/session-state'), ({ type }) => type.startsWith('tool.'))],
  },
  {
    host: cline,
    begin: (path) => ({ name: 'read_files', arguments: { files: [{ path }] } }),
    create: (path) => ({ name: 'editor', arguments: { path, new_text: NEW } }),
    log: (home) => ['session.messages.json', file(join(home, '.cline/data/sessions'), '.messages.json')],
  },
];

const wanted = process.argv.slice(3);
for (const { host, begin, create, log } of HOSTS.filter(({ host }) => wanted.length === 0 || wanted.includes(host.name))) {
  const place = new Place();
  const model = await Model.start(host.isAgent);
  try {
    await host.setUp(place, model);
    for (const name of ['cart.py', 'unread.py']) place.write(name, CART);
    const path = (name) => join(place.project, name);
    const edit = (name, old, replacement) => host.edit(path(name), old, replacement, place);
    model.play([
      begin(path('cart.py')),
      edit('cart.py', '\t\treturn len(self.items)', '\t\treturn len(self.items) + 1'),
      edit('cart.py', TOTAL, TOTAL.replace('prices', 'costs')),
      edit('cart.py', 'self.stock.remove(article)', 'pass'),
      edit('unread.py', TOTAL, TOTAL.replace('prices', 'costs')),
      create(path('new.py')),
      edit('new.py', 'a = 1', 'a = 3'),
    ]);
    const { stderr } = await host.run(place, 'Change the cart.');
    if (model.sent !== 7) throw new Error(`${host.name}: ${stderr}`);
    const [name, text] = log(place.home);
    const folder = join(process.argv[2], host.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text.replaceAll(place.folder.slice(1), 'base/user'));
  } finally {
    await host.tearDown?.(place);
    await model.stop();
    place.remove();
  }
}
process.exit();

/** Returns the only file in a folder whose name ends so. */
function file(folder, end) {
  return readFileSync(join(folder, readdirSync(folder, { recursive: true }).find((name) => name.endsWith(end))), 'utf8');
}

/** Returns the lines of the only log in a folder that pass, without the long texts for people. */
function lines(folder, passes) {
  const all = file(folder, '.jsonl').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  const short = (key, value) => (['description', 'toolTelemetry'].includes(key) ? undefined : value);
  return all.filter(passes).map((line) => `${JSON.stringify(line, short)}\n`).join('');
}

/** Returns the messages of a database as SQL. */
function rows(path) {
  const program = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
quoted = lambda value: "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
for table in "message", "part":
    all = database.execute(f"SELECT * FROM {table}")
    names = ", ".join(column[0] for column in all.description)
    print(f"CREATE TABLE {table} ({names});")
    for row in all:
        print(f"INSERT INTO {table} ({names}) VALUES ({', '.join(map(quoted, row))});")
`;
  return execFileSync('python3', ['-c', program, path], { encoding: 'utf8' });
}
