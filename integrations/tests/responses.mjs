// OpenAI Responses with custom tools, whose argument is plain text: `apply_patch` is one, and the mock server knows none.

import { once } from 'node:events';

/** Serves `/custom/responses`; `answer` is given the request in the shape of OpenAI Chat, as it is for the other APIs. */
export function mountResponses(server, answer) {
  server.mount('/custom', {
    async handleRequest(request, response, pathname) {
      if (!pathname.endsWith('/responses') || request.method !== 'POST') return false;
      let body = '';
      for await (const part of request) body += part;
      const { input, tools = input.flatMap(toolsOf), model } = JSON.parse(body);
      const { content, toolCalls = [] } = answer({ model, tools, messages: input.map(message) });
      const items = toolCalls.map((call) => item(call, tools));
      if (content) items.push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: content }] });
      const id = `resp_${toolCalls[0]?.id ?? 'end'}`;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = async (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`) || once(response, 'drain');
      await send({ type: 'response.created', response: { id } });
      for (const [output_index, item] of items.entries()) await send({ type: 'response.output_item.done', output_index, item });
      const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
      await send({ type: 'response.completed', response: { id, usage } });
      response.end();
      return true;
    },
  });
}

/** Returns the tools that a part of the conversation brings, as it does for models that call tools from a program. */
function toolsOf({ type, tools = [] }) {
  return type === 'additional_tools' ? tools.flatMap((tool) => tool.tools ?? tool) : [];
}

/** Returns a part of the conversation as a message. */
function message({ type, role, content, output }) {
  if (type?.endsWith('_call_output')) return { role: 'tool', content: typeof output === 'string' ? output : JSON.stringify(output) };
  if (type?.endsWith('_call') || type === 'reasoning') return { role: 'assistant', content: '' };
  return { role, content };
}

/** Returns a call as the part of an answer that the tool takes. */
function item({ id, name, arguments: text }, tools) {
  const isCustom = tools.some((tool) => tool.type === 'custom' && tool.name === name);
  const call = { id: `item_${id}`, call_id: id, name, status: 'completed' };
  return isCustom ? { type: 'custom_tool_call', ...call, input: text } : { type: 'function_call', ...call, arguments: text };
}
