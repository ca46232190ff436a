import { installed } from '../place.mjs';

// The package `cline` also has its libraries for other programs: some 330 packages.
const PACKAGE = `@cline/cli-${process.platform}-${process.arch}`;
const PROGRAM = installed(`${PACKAGE}/bin/cline`);

export const cline = {
  name: 'cline',
  title: 'Cline CLI',
  package: PACKAGE,
  program: [PROGRAM],
  isAgent: ({ tools = [] }) => tools.some(({ function: { name } }) => name === 'editor'),

  async setUp(place, model) {
    const args = ['auth', '--provider', 'openai', '--apikey', 'none', '--modelid', 'm', '--baseurl', `${model.url}/v1`];
    const { code, stdout, stderr } = await place.run([PROGRAM, ...args]);
    if (code !== 0) throw new Error(stdout + stderr);
  },

  run: (place, prompt) => place.run([PROGRAM, '--auto-approve', 'true', prompt]),

  // It leaves a daemon, which serves later runs.
  tearDown: (place) => place.run([PROGRAM, 'hub', 'stop']),

  edit: (path, old, replacement) => ({ name: 'editor', arguments: { path, old_text: old, new_text: replacement } }),
  shell: (command) => ({ name: 'run_commands', arguments: { commands: [command] } }),
};
