-- An assignment of a laboratory's message to a kit can be undone for 30 days: what it made is remembered by its IDs, and
-- the message keeps its content until then.
alter table lab_messages add column made jsonb;
