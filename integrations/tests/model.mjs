// A model of our own on loopback: it sends the calls of a script one after the other, and remembers the answers.

import { LLMock } from '@copilotkit/aimock';

import { mountMessages } from './messages.mjs';
import { mountResponses } from './responses.mjs';

/** The tokens that it claims to have used: a host that counts them itself would shorten the conversation. */
const USAGE = { prompt_tokens: 10, completion_tokens: 10, input_tokens: 10, output_tokens: 10, promptTokenCount: 10, candidatesTokenCount: 10 };

/** A model that speaks the four APIs (Anthropic Messages, OpenAI Chat and Responses, Gemini), streaming. */
export class Model {
  /** Starts it. `isAgent` says which requests are the agent's: hosts also ask for titles and summaries. */
  static async start(isAgent) {
    const model = new Model();
    model.isAgent = isAgent;
    model.server = new LLMock({ host: '127.0.0.1', port: 0, logLevel: 'silent', chunkSize: 24, journalMaxEntries: 1 });
    model.server.on({ predicate: () => true }, (request) => model.#answer(request));
    model.server.mount('/v1/messages/count_tokens', { handleRequest: async (_request, response) => json(response, { input_tokens: 10 }) });
    mountMessages(model.server);
    mountResponses(model.server, (request) => model.#answer(request));
    await model.server.start();
    model.play([]);
    return model;
  }

  get url() {
    return this.server.url;
  }

  async stop() {
    await this.server.stop();
  }

  /**
   * Begins a script: each step is a list of calls, sent in one message, or a function that returns it. Fills `told` with
   * the words that the model reads after each step, and `heard` with all words of the last request.
   */
  play(steps) {
    this.steps = steps;
    this.told = [];
    this.sent = 0;
    this.requests = 0;
    this.tools = new Set();
  }

  #answer(request) {
    this.requests += 1;
    if (!this.isAgent(request)) return { content: 'done', usage: USAGE };
    for (const tool of request.tools) this.tools.add(tool.function?.name ?? tool.name);
    if (this.sent > 0 && this.told.length < this.sent) this.told.push(sinceLastAnswer(request.messages));
    this.heard = request.messages.map(({ content }) => words(content)).join('\n');
    const next = this.steps[this.sent];
    const step = [typeof next === 'function' ? next() : (next ?? [])].flat();
    if (step.length === 0) return { content: 'done', usage: USAGE };
    this.sent += 1;
    const toolCalls = step.map((call, index) => ({ ...call, arguments: asText(call.arguments), id: `call_${this.sent}_${index}` }));
    return { toolCalls, usage: USAGE };
  }
}

const asText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Returns what a request has after the model's own last message. */
function sinceLastAnswer(messages) {
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages.slice(last + 1).map(({ content }) => words(content)).join('\n');
}

function words(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('');
}

export function json(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
  return true;
}
