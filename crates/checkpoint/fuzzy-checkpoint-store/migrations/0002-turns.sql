-- The turn that runs, by its prompt, and why a prompt has no checkpoint.
ALTER TABLE sessions ADD COLUMN turn TEXT;
ALTER TABLE messages ADD COLUMN uncheckpointed TEXT;
UPDATE sessions SET turn = (
    SELECT id FROM messages
    WHERE session_id = sessions.id AND role = 'user' AND trimmed_by IS NULL
    ORDER BY seq DESC LIMIT 1
)
WHERE state = 'running' OR EXISTS (
    -- Whether what ran was stopped is not known.
    SELECT 1 FROM restores WHERE session_id = sessions.id AND phase = 'begun' AND options LIKE '%"force":true%'
);
UPDATE sessions SET state = 'idle' WHERE state = 'running' AND turn IS NULL;
