-- A request's ID is ours and unique; what the caller calls it stands beside it.
alter table audit_entries add column caller_request_id text;
-- What a seal is computed from: 1 as before, 2 with the caller's ID. Seals of a process of the version before are told
-- from ours by it while both run.
alter table audit_seals add column form smallint not null default 1;
