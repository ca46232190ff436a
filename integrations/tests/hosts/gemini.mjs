import { installed } from '../place.mjs';

const PROGRAM = [process.execPath, installed('@google/gemini-cli/bundle/gemini.js')];

export const gemini = {
  name: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  program: PROGRAM,
  isAgent: ({ tools = [] }) => tools.some(({ function: { name } }) => name === 'replace'),

  setUp(place, model) {
    place.env.GEMINI_API_KEY = 'none';
    place.env.GOOGLE_GEMINI_BASE_URL = model.url;
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    };
    place.write('.gemini/settings.json', settings, place.home);
  },

  run: (place, prompt, goesOn) => place.run([...PROGRAM, ...(goesOn ? ['--resume', 'latest'] : []), '-m', 'gemini-2.5-flash', '--yolo', '-p', prompt]),

  edit: (path, old, replacement) => ({ name: 'replace', arguments: { file_path: path, instruction: 'Edit it', old_string: old, new_string: replacement } }),
  write: (path, content) => ({ name: 'write_file', arguments: { file_path: path, content } }),
  read: (path) => ({ name: 'read_file', arguments: { file_path: path } }),
  shell: (command) => ({ name: 'run_shell_command', arguments: { command } }),
};
