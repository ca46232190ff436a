import { installed } from '../place.mjs';

const PROGRAM = installed(`@github/copilot-${process.platform}-${process.arch}/copilot`);

export const copilot = {
  name: 'copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  program: [PROGRAM],
  isAgent: ({ tools = [] }) => tools.some(({ function: { name } }) => name === 'edit'),

  setUp(place, model) {
    place.env.COPILOT_OFFLINE = 'true';
    place.env.COPILOT_AUTO_UPDATE = 'false';
    place.env.COPILOT_PROVIDER_TYPE = 'anthropic';
    place.env.COPILOT_PROVIDER_BASE_URL = model.url;
    place.env.COPILOT_PROVIDER_API_KEY = 'none';
    place.env.COPILOT_MODEL = 'claude-sonnet-4';
  },

  run: (place, prompt) => place.run([PROGRAM, '--allow-all-tools', '-p', prompt]),

  edit: (path, old, replacement) => ({ name: 'edit', arguments: { path, old_str: old, new_str: replacement } }),
  shell: (command) => ({ name: 'bash', arguments: { command, description: 'Run it' } }),
};
