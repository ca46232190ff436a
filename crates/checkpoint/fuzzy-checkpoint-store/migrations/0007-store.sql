-- The store of a worktree's checkpoints: a random id and its path; empty if an older program recorded the worktree.
ALTER TABLE worktrees ADD COLUMN store TEXT NOT NULL DEFAULT '';
