-- The place after which a turn changed files for the last time, if a restore took place while it ran, and the files that
-- changed after the last action of an interrupted turn.
ALTER TABLE messages ADD COLUMN wrote_after BIGINT NOT NULL DEFAULT -1;
ALTER TABLE messages ADD COLUMN late TEXT;
-- The place at which a turn ended, also after its checkpoints are pruned.
ALTER TABLE messages ADD COLUMN ended BIGINT NOT NULL DEFAULT 0;
