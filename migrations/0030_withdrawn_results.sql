-- Which results a version of a report took back: what the laboratory withdrew, and what was computed from it.
-- The values themselves stay in the versions before, where they are shown as withdrawn.
-- With a default, so that a process of the version before can still write versions.
alter table report_versions add column withdrawn jsonb not null default '[]';
