import { installed } from '../place.mjs';

const PROGRAM = [process.execPath, installed('@qwen-code/qwen-code/cli-entry.js')];

export const qwen = {
  name: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  program: PROGRAM,
  isAgent: ({ tools = [] }) => tools.some(({ function: { name } }) => name === 'edit'),

  setUp(place, model) {
    place.env.OPENAI_API_KEY = 'none';
    place.env.OPENAI_BASE_URL = `${model.url}/v1`;
    place.env.OPENAI_MODEL = 'm';
    const settings = {
      security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    place.write('.qwen/settings.json', settings, place.home);
  },

  run: (place, prompt) => place.run([...PROGRAM, '--yolo', '-p', prompt]),

  read: (path) => ({ name: 'read_file', arguments: { file_path: path } }),
  edit: (path, old, replacement) => ({ name: 'edit', arguments: { file_path: path, old_string: old, new_string: replacement } }),
  shell: (command) => ({ name: 'run_shell_command', arguments: { command, is_background: false } }),
};
