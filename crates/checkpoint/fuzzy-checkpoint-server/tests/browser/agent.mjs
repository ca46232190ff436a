// An agent: reads its turns from standard input, changes the files, and reports to the server through the API.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

const { base, session, repository, turns } = JSON.parse(await text(process.stdin));

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${base}/api/sessions/${session}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json().catch(() => ({}));
}

for (const { prompt, files = {}, says = [], status = 'complete' } of turns) {
  const turn = await post('/turns', { message: prompt });
  for (const [name, content] of Object.entries(files)) {
    const path = join(repository, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content === null) rmSync(path);
    else writeFileSync(path, content);
  }
  for (const body of says) await post('/messages', { turn: turn.id, role: 'assistant', body });
  // A turn without a status keeps running after this process has ended.
  if (status) await post(`/turns/${turn.id}/end`, { status });
}
