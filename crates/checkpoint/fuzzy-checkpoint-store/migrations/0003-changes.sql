-- What turns changed, and checkpoints at their end: a constraint can be changed only with its table.
ALTER TABLE messages ADD COLUMN changes TEXT;
ALTER TABLE messages ADD COLUMN uncompared TEXT;
ALTER TABLE messages ADD COLUMN outside TEXT;
CREATE TABLE new_checkpoints (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    kind TEXT NOT NULL CHECK (kind IN ('turn', 'end', 'manual', 'safety')),
    state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'lost')),
    anchor_seq BIGINT NOT NULL,
    commit_oid TEXT NOT NULL,
    tree_oid TEXT NOT NULL,
    index_tree_oid TEXT,
    head_oid TEXT,
    head_ref TEXT,
    label TEXT NOT NULL,
    uncovered TEXT NOT NULL,
    retired_by TEXT,
    created_at BIGINT NOT NULL
);
INSERT INTO new_checkpoints (id, session_id, worktree_id, kind, state, anchor_seq, commit_oid, tree_oid,
    index_tree_oid, head_oid, head_ref, label, uncovered, retired_by, created_at)
SELECT id, session_id, worktree_id, kind, state, anchor_seq, commit_oid, tree_oid,
    index_tree_oid, head_oid, head_ref, label, uncovered, retired_by, created_at FROM checkpoints;
DROP TABLE checkpoints;
ALTER TABLE new_checkpoints RENAME TO checkpoints;
CREATE INDEX checkpoints_by_anchor ON checkpoints (session_id, anchor_seq, created_at);
CREATE INDEX checkpoints_by_age ON checkpoints (worktree_id, created_at);
CREATE INDEX restores_by_age ON restores (session_id, created_at);
