-- Why the index of a checkpoint cannot be given back.
ALTER TABLE checkpoints ADD COLUMN index_left TEXT;
