-- Turns that retention does not give up.
ALTER TABLE messages ADD COLUMN kept BIGINT NOT NULL DEFAULT 0;
