import { installed } from '../place.mjs';

const PROGRAM = installed(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);

export const claudeCode = {
  name: 'claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  program: [PROGRAM],
  isAgent: ({ tools = [] }) => tools.some(({ function: { name } }) => name === 'Edit'),

  setUp(place, model) {
    place.env.ANTHROPIC_BASE_URL = `${model.url}/hooked`;
    place.env.ANTHROPIC_API_KEY = 'none';
    place.env.CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC = '1';
  },

  run: (place, prompt, goesOn) => place.run([PROGRAM, '-p', prompt, ...(goesOn ? ['--continue'] : []), '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash']),

  goBack: (place, command) => place.shell(command.replace('PROMPT', "'Go on.'"), { claude: [PROGRAM] }),

  read: (path) => ({ name: 'Read', arguments: { file_path: path } }),
  write: (path, content) => ({ name: 'Write', arguments: { file_path: path, content } }),
  edit: (path, old, replacement) => ({ name: 'Edit', arguments: { file_path: path, old_string: old, new_string: replacement } }),
  shell: (command) => ({ name: 'Bash', arguments: { command, description: 'Run it' } }),
};
