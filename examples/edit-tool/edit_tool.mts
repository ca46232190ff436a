// The edit tool of an agent: reads a call from each line of its input, and prints the answer for the model.

import { createInterface } from 'node:readline';

import { EditError, open } from 'fuzzy-edit';
import type { FileEdit, Workspace } from 'fuzzy-edit';

interface Call {
  tool: string;
  arguments: FileEdit & { edits: FileEdit[]; patch: string };
}

/** Carries out a call, and returns the text for the model. */
async function answer(files: Workspace, call: Call): Promise<string> {
  try {
    switch (call.tool) {
      case 'read': return await files.read(call.arguments.path);
      case 'undo': return (await files.undo()).forModel;
      case 'patch': return (await files.patch(call.arguments.patch)).forModel;
      case 'multi_edit': return (await files.multiEdit(call.arguments.edits)).forModel;
      default: return (await files.apply(call.arguments)).forModel;
    }
  } catch (error) {
    if (error instanceof EditError) return error.forModel ?? error.message;
    throw error;
  }
}

const files = open(process.argv[2] ?? '.');
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify({ text: await answer(files, JSON.parse(line)) }));
}
