-- Whether a body is JSON, and what else was sent with it.
ALTER TABLE messages ADD COLUMN json BIGINT NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN extra TEXT;
