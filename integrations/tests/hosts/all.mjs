// The hosts that are run.

import { claudeCode } from './claude-code.mjs';
import { cline } from './cline.mjs';
import { codex } from './codex.mjs';
import { copilot } from './copilot.mjs';
import { gemini } from './gemini.mjs';
import { opencode } from './opencode.mjs';
import { qwen } from './qwen.mjs';

export const HOSTS = [claudeCode, codex, gemini, opencode, cline, copilot, qwen];
