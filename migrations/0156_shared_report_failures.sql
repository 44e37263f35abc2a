-- A wrong date of birth at a link to one report counts against that link: who was given it cannot lock the person out of their
-- own pages, nor somebody else who was given another link.
alter table birth_date_failures add column share_hash bytea;
create index birth_date_failures_share on birth_date_failures (share_hash, at) where share_hash is not null;
