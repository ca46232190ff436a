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

  run: (place, prompt) => place.run([PROGRAM, 'run', prompt, '--print-logs']),

  edit: (path, old, replacement) => ({ name: 'edit', arguments: { filePath: path, oldString: old, newString: replacement } }),
  read: (path) => ({ name: 'read', arguments: { filePath: path } }),
  shell: (command) => ({ name: 'bash', arguments: { command, description: 'Run it' } }),
};
