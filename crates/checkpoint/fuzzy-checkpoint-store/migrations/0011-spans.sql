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
