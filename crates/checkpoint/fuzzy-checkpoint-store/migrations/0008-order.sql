-- A place for every turn, checkpoint and finished restore in the order of its worktree, and a number for every turn.
-- Both come from sequences, so that a clock that steps back changes neither. The host of a session, and the files that
-- its edit tools named.
ALTER TABLE worktrees ADD COLUMN places BIGINT NOT NULL DEFAULT 0;
ALTER TABLE worktrees ADD COLUMN turns BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN host TEXT;
ALTER TABLE messages ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN edited TEXT;
ALTER TABLE checkpoints ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
ALTER TABLE restores ADD COLUMN place BIGINT NOT NULL DEFAULT 0;
UPDATE messages SET number = numbered.number FROM (
    SELECT m.id AS id, ROW_NUMBER() OVER (PARTITION BY s.worktree_id ORDER BY m.id) AS number
    FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.role = 'user'
) AS numbered WHERE numbered.id = messages.id;
CREATE TABLE ordered AS
SELECT kind, id, worktree_id, ROW_NUMBER() OVER (PARTITION BY worktree_id ORDER BY moment, kind, id) AS place FROM (
    SELECT 1 AS kind, m.id AS id, s.worktree_id AS worktree_id, m.created_at AS moment
    FROM messages m JOIN sessions s ON s.id = m.session_id WHERE m.role = 'user'
    UNION ALL SELECT 2, id, worktree_id, created_at FROM checkpoints
    UNION ALL SELECT 3, id, worktree_id, updated_at FROM restores WHERE phase = 'done'
) AS events;
UPDATE messages SET place = ordered.place FROM ordered WHERE ordered.kind = 1 AND ordered.id = messages.id;
UPDATE checkpoints SET place = ordered.place FROM ordered WHERE ordered.kind = 2 AND ordered.id = checkpoints.id;
UPDATE restores SET place = ordered.place FROM ordered WHERE ordered.kind = 3 AND ordered.id = restores.id;
UPDATE worktrees SET
    places = (SELECT COUNT(*) FROM ordered WHERE ordered.worktree_id = worktrees.id),
    turns = (SELECT COUNT(*) FROM ordered WHERE ordered.worktree_id = worktrees.id AND ordered.kind = 1);
DROP TABLE ordered;
UPDATE sessions SET host = 'claude-code' WHERE title LIKE 'claude-code %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'cline' WHERE title LIKE 'cline %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'codex' WHERE title LIKE 'codex %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'copilot' WHERE title LIKE 'copilot %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'cursor' WHERE title LIKE 'cursor %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'gemini' WHERE title LIKE 'gemini %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'opencode' WHERE title LIKE 'opencode %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'qwen' WHERE title LIKE 'qwen %' AND title NOT LIKE '% % %';
UPDATE sessions SET host = 'vscode' WHERE title LIKE 'vscode %' AND title NOT LIKE '% % %';
