-- What people type in passing may name a person: why a kit has a problem or was replaced, who was told of a critical result,
-- why the operator enters a business. It is sealed before it reaches SQL. The columns in clear remain for rows and processes
-- of the version before; a job seals such rows and empties them, so they may be null.
alter table kits add column sealed_reason bytea;
alter table support_accesses alter column reason drop not null, add column sealed bytea;

-- A process of the version before moves a kit without knowing this column: what it says is of an earlier problem then. One of
-- this version seals anew with each move, so that the bytes differ.
create function forget_reason() returns trigger language plpgsql as $$
begin
  new.sealed_reason := null;
  return new;
end $$;
create trigger forget_reason before update of event_sequence on kits for each row
  when (new.sealed_reason = old.sealed_reason and new.event_sequence <> old.event_sequence)
  execute function forget_reason();

-- Words that an entry of the audit refers to. Entries never change, and seals cover them: so the words stand apart, where a
-- new key can replace an old one. Entries of the version before hold them in clear.
create table audit_words (
  realm_id  integer not null references realms,
  id        text not null,
  sealed    bytea not null,
  primary key (realm_id, id)
);
select kitlane_protect('audit_words', 'select, insert');
grant update (sealed) on audit_words to kitlane_system;
