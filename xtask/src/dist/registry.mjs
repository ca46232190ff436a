// A registry of npm packages on this machine: `node registry.mjs FOLDER` serves the tarballs of a folder and prints its
// address. It sends requests for other packages on to the registry that npm is configured for.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';

const folder = process.argv[2];
const elsewhere = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '');

const packages = new Map();
for (const file of readdirSync(folder).filter((file) => file.endsWith('.tgz'))) {
  const tarball = readFileSync(join(folder, file));
  const options = { encoding: 'utf8' };
  const manifest = JSON.parse(execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json'], options));
  packages.set(manifest.name, { file, tarball, manifest });
}

/** Returns the registry's description of a package. */
function documentOf({ file, tarball, manifest }, host) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const dist = { tarball: `http://${host}/-/${file}`, integrity };
  const { name, version } = manifest;
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

const server = createServer((request, response) => {
  const path = decodeURIComponent(request.url.slice(1));
  const [file] = [...packages.values()].filter((known) => path === `-/${known.file}`);
  const known = packages.get(path);
  if (file) {
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file.tarball);
  } else if (known) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(documentOf(known, request.headers.host)));
  } else if (path.startsWith('fuzzy-edit')) {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  } else {
    response.writeHead(302, { location: `${elsewhere}${request.url}` }).end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`));
