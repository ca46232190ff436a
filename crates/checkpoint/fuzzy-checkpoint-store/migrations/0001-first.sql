-- Identifiers are ULIDs, times are milliseconds since 1970. Databases older than the table of migrations have this
-- already: hence IF NOT EXISTS, which later files do without.
CREATE TABLE IF NOT EXISTS worktrees (
    id TEXT PRIMARY KEY,
    git_dir TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    object_format TEXT NOT NULL,
    lease TEXT,
    lease_until BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    title TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('idle', 'running', 'restoring')),
    generation BIGINT NOT NULL DEFAULT 0,
    next_seq BIGINT NOT NULL DEFAULT 1,
    created_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    role TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('streaming', 'complete', 'failed')),
    body TEXT NOT NULL,
    trimmed_by TEXT,
    created_at BIGINT NOT NULL,
    UNIQUE (session_id, seq)
);
CREATE TABLE IF NOT EXISTS checkpoints (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    kind TEXT NOT NULL CHECK (kind IN ('turn', 'manual', 'safety')),
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
CREATE INDEX IF NOT EXISTS checkpoints_by_anchor ON checkpoints (session_id, anchor_seq, created_at);
CREATE TABLE IF NOT EXISTS restores (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    checkpoint_id TEXT NOT NULL,
    safety_id TEXT,
    request_key TEXT NOT NULL,
    options TEXT NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('begun', 'safe', 'files', 'index', 'done', 'refused', 'rolled_back')),
    result TEXT NOT NULL,
    error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (session_id, request_key)
);
CREATE UNIQUE INDEX IF NOT EXISTS restores_one_open ON restores (worktree_id) WHERE phase IN ('begun', 'safe', 'files', 'index');
CREATE TABLE IF NOT EXISTS backend_resets (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL,
    agent TEXT NOT NULL,
    delivered_at BIGINT,
    PRIMARY KEY (session_id, generation, agent)
);
