import { existsSync } from 'node:fs';

import { installed } from '../place.mjs';

// Two builds, of which npm installs both: the second is for processors without newer instructions.
const [PROGRAM] = ['', '-baseline'].map((build) => installed(`opencode-${process.platform}-${process.arch}${build}/bin/opencode`)).filter(existsSync);

export const opencode = {
  name: 'opencode',
  title: 'opencode',
  package: 'opencode-ai',
  program: [PROGRAM],
  isAgent: ({ tools = [] }) => tools.some(({ function: { name } }) => name === 'edit'),

  setUp(place, model) {
    const settings = {
      model: 'local/m',
      small_model: 'local/m',
      autoupdate: false,
      share: 'disabled',
      permission: 'allow',
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          name: 'local',
          options: { baseURL: `${model.url}/v1`, apiKey: 'none' },
          models: { m: { name: 'm', tool_call: true } },
        },
      },
    };
    place.write('.config/opencode/opencode.json', settings, place.home);
    place.env.OPENCODE_DISABLE_AUTOUPDATE = '1';
    place.env.OPENCODE_DISABLE_MODELS_FETCH = '1';
  },

  run: (place, prompt, goesOn) => place.run([PROGRAM, 'run', prompt, ...(goesOn ? ['--continue'] : []), '--print-logs']),

  async goBack(place, command) {
    const port = 4096 + (process.pid % 1000);
    const serve = `opencode serve --port ${port} > served & until grep -q listening served; do sleep 0.2; done`;
    const { stdout, stderr } = await place.shell(`${serve}; ${command.replace('4096', port)}; kill $!`, { opencode: [PROGRAM] });
    const fork = /"id":"(ses_\w+)"/.exec(stdout)?.[1];
    if (!fork) throw new Error(stdout + stderr);
    await place.run([PROGRAM, 'run', 'Go on.', '--session', fork]);
  },

  edit: (path, old, replacement) => ({ name: 'edit', arguments: { filePath: path, oldString: old, newString: replacement } }),
  write: (path, content) => ({ name: 'write', arguments: { filePath: path, content } }),
  read: (path) => ({ name: 'read', arguments: { filePath: path } }),
  shell: (command) => ({ name: 'bash', arguments: { command, description: 'Run it' } }),
};
