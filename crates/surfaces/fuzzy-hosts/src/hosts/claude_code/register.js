// Repairs the arguments of the edit tool while the model's answer arrives, before Claude Code compares them with the file.

/** The longest time of a repair, in milliseconds. */
const LIMIT = 5_000;

export function register(on) {
  on('turn.step', async function* ($, event, next) {
    const answer = next(event);
    // The pieces of each edit's arguments, by block.
    const held = new Map();
    for (let part = await answer.next(); ; part = await answer.next()) {
      const chunk = part.value;
      if (!part.done && chunk.kind === 'input' && held.has(chunk.index)) {
        held.get(chunk.index).push(chunk);
        continue;
      }
      // Any other chunk means that the earlier blocks are complete.
      for (const [index, pieces] of held) {
        if (pieces.length === 0) continue;
        held.delete(index);
        let repaired;
        try {
          const input = JSON.parse(pieces.map(({ json }) => json).join(''));
          const stdin = JSON.stringify({ tool_name: 'Edit', tool_input: input, cwd: event.cwd, session_id: event.sessionId, model: event.model });
          const { exitCode, stdout } = await $.process.run(['fuzzy-edit', 'hook', 'claude-code', 'repair'], { stdin, timeoutMs: LIMIT });
          if (exitCode === 0 && stdout) repaired = JSON.parse(stdout).updatedInput;
        } catch {
          // Without an answer the edit is passed on unchanged.
        }
        if (repaired) yield { ...pieces[0], json: JSON.stringify(repaired) };
        else yield* pieces;
      }
      if (part.done) return part.value;
      if (chunk.kind === 'tool' && chunk.name === 'Edit') held.set(chunk.index, []);
      yield chunk;
    }
  });
}
