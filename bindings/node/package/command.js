#!/usr/bin/env node
// Runs the command from the package for this platform, with the same arguments and standard streams.

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import process from 'node:process';

import { fromPlatform, packages } from './platform.js';

const file = process.platform === 'win32' ? 'fuzzy-edit.exe' : 'fuzzy-edit';
const program = fromPlatform((require, name) => require.resolve(`${name}/${file}`));

if (program === undefined) {
  console.error(
    `error: the command is not installed for this platform. npm brings it in the optional package ${packages.join(' or ')}: ` +
      'install without --omit=optional, and on the same system as this one.',
  );
  process.exitCode = 2;
} else {
  run(program);
}

function run(program) {
  const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
  // The terminal sends SIGINT to both processes. Other signals reach only this one, which passes them on; the command
  // decides.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  child.on('error', (error) => {
    console.error(`error: ${program} cannot be started: ${error.message}`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}
