// Drives edits through the real hosts, without our hooks and with them: `node edits.mjs EDITS ANSWERS`.
//
// Reads a line of JSON for each edit (`id`, `path`, `content`, `old`, `new`), and writes one for each host, with our hooks
// or without (`repaired`), and edit: the file afterwards (`output`), and the words that the model read (`told`).

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';

import { HOSTS } from './hosts/all.mjs';
import { Model } from './model.mjs';
import { Place } from './place.mjs';

/** How many edits one conversation has: every request repeats the ones before it, and Gemini CLI looks for loops later. */
const EDITS = 20;

const [sample, answers] = process.argv.slice(2);
const edits = readFileSync(sample, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
const { dependencies, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const versions = { ...dependencies, ...optionalDependencies };
const wanted = process.env.HOSTS?.split(',') ?? HOSTS.map(({ name }) => name);

writeFileSync(answers, '');
for (const host of HOSTS.filter(({ name }) => wanted.includes(name))) {
  for (const repaired of [false, true]) {
    const start = Date.now();
    for (let at = 0; at < edits.length; at += EDITS) {
      const lines = await drive(host, edits.slice(at, at + EDITS), repaired);
      const about = { host: host.title, version: versions[host.package], repaired };
      appendFileSync(answers, lines.map((line) => `${JSON.stringify({ ...about, ...line })}\n`).join(''));
    }
    console.log(`${host.title}, ${repaired ? 'with' : 'without'} hooks: ${edits.length} edits in ${Math.round((Date.now() - start) / 1000)} s`);
  }
}
process.exit();

/** Lets the model send the edits, each of a file of its own, and returns an answer to each. */
async function drive(host, edits, repaired) {
  const place = new Place();
  const model = await Model.start(host.isAgent);
  try {
    await host.setUp(place, model);
    if (repaired) {
      const { code, stderr } = await place.run([process.env.FUZZY_EDIT, 'init', host.name, '--yes']);
      if (code !== 0) throw new Error(stderr);
    }
    const names = edits.map(({ path, content }, at) => {
      const name = join(`${at}`, basename(path || 'file.txt'));
      place.write(name, content);
      return name;
    });
    const told = [];
    // A host may end a conversation after many failures: the rest is sent in another one.
    while (told.length < edits.length) {
      const steps = edits.slice(told.length).map(({ old, new: replacement }, at) => {
        const path = join(place.project, names[told.length + at]);
        return [host.read?.(path), host.edit(path, old, replacement, place)].filter(Boolean);
      });
      model.play(steps.flat());
      const { stdout, stderr } = await host.run(place, 'Make the edits.');
      const answered = model.told.filter((_, at) => at % steps[0].length === steps[0].length - 1);
      if (answered.length === 0) throw new Error(`${host.name} made no edit: ${stdout}${stderr}`);
      told.push(...answered);
    }
    return edits.map(({ id }, at) => ({ id, output: place.read(names[at]), told: told[at] }));
  } finally {
    await host.tearDown?.(place);
    await model.stop();
    place.remove();
  }
}
