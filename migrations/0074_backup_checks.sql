-- Whether a backup was read back to its end after it was written, and so is known to be whole. Null: it was not, since the
-- process that made it has the public key alone, or a version before this one made it.
alter table backups add column checked_at timestamptz;
