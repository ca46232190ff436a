// Anthropic Messages with messages of the system between the others, which the mock server drops: Claude Code has the
// words of hooks in them.

import { pipeline } from 'node:stream/promises';

/** Serves `/hooked` as the server itself, with those messages as ones of the user. */
export function mountMessages(server) {
  server.mount('/hooked', {
    async handleRequest(request, response) {
      let body = '';
      for await (const part of request) body += part;
      const { messages, ...rest } = JSON.parse(body);
      const heard = messages.map((message) => (message.role === 'system' ? { ...message, role: 'user' } : message));
      const { status, headers, body: answer } = await fetch(server.url + request.url.replace('/hooked', ''), {
        method: request.method,
        headers: { 'content-type': 'application/json', 'x-api-key': 'none' },
        body: JSON.stringify({ messages: heard, ...rest }),
      });
      response.writeHead(status, { 'content-type': headers.get('content-type') });
      await pipeline(answer, response);
      return true;
    },
  });
}
