-- Identifiers are ULIDs, times are milliseconds since 1970. A place is a number of a worktree's sequence: it orders turns,
-- checkpoints and finished restores, also after a clock was set back. Only SQL that SQLite and Postgres both understand.
CREATE TABLE worktrees (
    id TEXT PRIMARY KEY,
    git_dir TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    object_format TEXT NOT NULL,
    lease TEXT,
    lease_until BIGINT NOT NULL DEFAULT 0,
    -- The store of its checkpoints: a random id and the path.
    store TEXT NOT NULL,
    -- The last place, and the number of the last turn.
    places BIGINT NOT NULL DEFAULT 0,
    turns BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    title TEXT NOT NULL,
    host TEXT,
    state TEXT NOT NULL CHECK (state IN ('idle', 'running', 'restoring')),
    -- The running turn, by its prompt.
    turn TEXT,
    generation BIGINT NOT NULL DEFAULT 0,
    next_seq BIGINT NOT NULL DEFAULT 1,
    -- The place up to which its agent knows what was taken back.
    told BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);
CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq BIGINT NOT NULL,
    role TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('streaming', 'complete', 'failed')),
    body TEXT NOT NULL,
    -- Whether the body is JSON, and the other keys of the request.
    json BIGINT NOT NULL DEFAULT 0,
    extra TEXT,
    trimmed_by TEXT,
    created_at BIGINT NOT NULL,
    -- All columns below are those of a prompt, and of its turn.
    number BIGINT NOT NULL DEFAULT 0,
    place BIGINT NOT NULL DEFAULT 0,
    -- The place of its end, and the place after which it changed files for the last time, if a restore took place
    -- while it ran.
    ended BIGINT NOT NULL DEFAULT 0,
    wrote_after BIGINT NOT NULL DEFAULT -1,
    -- The newest batch of edits in the writer's journal when the turn began.
    batch TEXT,
    uncheckpointed TEXT,
    changes TEXT,
    uncompared TEXT,
    outside TEXT,
    kept BIGINT NOT NULL DEFAULT 0,
    -- The files that edit tools named, those that differ at the end, and those that changed after the last action.
    edited TEXT,
    files TEXT,
    late TEXT,
    UNIQUE (session_id, seq)
);
CREATE INDEX messages_by_number ON messages (session_id, number) WHERE number > 0;
-- The turns of deleted sessions, without texts, so that the work of such a turn is not credited to another one.
CREATE TABLE spans (
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    number BIGINT NOT NULL,
    place BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    edited TEXT,
    files TEXT,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (worktree_id, number)
);
CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    kind TEXT NOT NULL CHECK (kind IN ('turn', 'step', 'end', 'manual', 'safety', 'plan')),
    anchor_seq BIGINT NOT NULL,
    place BIGINT NOT NULL,
    -- The newest batch of edits in the writer's journal when it was taken.
    batch TEXT,
    commit_oid TEXT NOT NULL,
    tree_oid TEXT NOT NULL,
    index_tree_oid TEXT,
    -- The reason why the index cannot be restored.
    index_left TEXT,
    head_oid TEXT,
    head_ref TEXT,
    label TEXT NOT NULL,
    uncovered TEXT NOT NULL,
    retired_by TEXT,
    -- Of a step and of the end of a turn: the files that are kept beside the checkpoints, as JSON.
    step TEXT,
    created_at BIGINT NOT NULL
);
CREATE INDEX checkpoints_by_anchor ON checkpoints (session_id, anchor_seq, created_at);
CREATE INDEX checkpoints_by_place ON checkpoints (worktree_id, place);
CREATE TABLE restores (
    id TEXT PRIMARY KEY,
    -- Those that are done outlive their session: a change that was taken back is not taken back again.
    session_id TEXT NOT NULL,
    worktree_id TEXT NOT NULL REFERENCES worktrees (id),
    checkpoint_id TEXT NOT NULL,
    safety_id TEXT,
    request_key TEXT NOT NULL,
    options TEXT NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('begun', 'safe', 'files', 'index', 'done', 'refused', 'rolled_back')),
    -- The place of its target, unless that is a plan; the places at which it began and was done; and the newest batch of
    -- edits in the writer's journal when it began.
    moment BIGINT NOT NULL DEFAULT 0,
    begun BIGINT NOT NULL,
    place BIGINT NOT NULL DEFAULT 0,
    batch TEXT,
    result TEXT NOT NULL,
    error TEXT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    UNIQUE (session_id, request_key)
);
CREATE UNIQUE INDEX restores_one_open ON restores (worktree_id) WHERE phase IN ('begun', 'safe', 'files', 'index');
CREATE INDEX restores_by_age ON restores (session_id, begun);
CREATE TABLE backend_resets (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL,
    agent TEXT NOT NULL,
    delivered_at BIGINT,
    PRIMARY KEY (session_id, generation, agent)
);
