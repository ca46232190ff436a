import { relative } from 'node:path';

import { installed } from '../place.mjs';
import { patchOf } from '../patch.mjs';

const PROGRAM = [process.execPath, installed('@openai/codex/bin/codex.js')];

export const codex = {
  name: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  program: PROGRAM,
  isAgent: ({ tools = [] }) => tools.length > 0,

  setUp(place, model) {
    place.env.MOCK_KEY = 'none';
    place.write('.codex/config.toml', settings(model.url), place.home);
  },

  run(place, prompt, goesOn) {
    const args = ['exec', ...(goesOn ? ['resume', '--last'] : []), '--skip-git-repo-check', '--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox', '--json', prompt];
    return place.run([...PROGRAM, ...args]);
  },

  async goBack(place, command) {
    await place.shell(command, { codex: PROGRAM });
    await codex.run(place, 'Go on.', true);
  },

  edit: (path, old, replacement, place) => codex.edits(path, [[old, replacement]], place),
  edits: (path, list, place) => program(`tools.apply_patch(${JSON.stringify(patchOf(relative(place.project, path), list))})`),
  tool: (name, args) => program(`tools.${name}(${JSON.stringify(args)})`),
  shell: (command) => program(`tools.exec_command(${JSON.stringify({ cmd: command })})`),
};

const settings = (url) => `
model = "gpt-5.6-sol"
model_provider = "local"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.local]
name = "local"
base_url = "${url}/custom"
wire_api = "responses"
env_key = "MOCK_KEY"
`;

/** Returns the call of a tool as the model makes it: from a program, which may call several. */
const program = (call) => ({ name: 'exec', arguments: `text(await ${call});` });
