-- The files that each turn changed, to filter a long list of turns, and the order of the list.
ALTER TABLE messages ADD COLUMN files TEXT;
CREATE INDEX messages_by_number ON messages (session_id, number) WHERE number > 0;
