-- The keys that personal data is sealed with: each realm has its own, wrapped by a master key that no table holds.
-- realm_id 0: what belongs to no business. `data` keys seal, and are replaced by rotation; the one `index` key makes the
-- hashes that sealed values are found by, each realm's its own, and stays; the one `secrets` key seals secrets
-- (webhooks, second factors, links).
create table data_keys (
  id          integer generated always as identity primary key,
  realm_id    integer not null,
  purpose     text not null check (purpose in ('data', 'index', 'secrets')),
  wrapped     bytea not null,
  -- The ID of the master key.
  wrapped_by  text not null,
  -- Every process knows a key before the first one seals with it.
  used_from   timestamptz not null,
  created_at  timestamptz not null default clock_timestamp()
);
create unique index data_keys_single on data_keys (purpose) where purpose <> 'data';
create index data_keys_realm on data_keys (realm_id);
select kitlane_protect('data_keys', 'select');
grant insert, update, delete on data_keys to kitlane_system;

-- How far the job has come that seals rows of earlier versions, and those under a key that was replaced.
create table sealing_progress (
  name        text primary key,
  after       text[] not null default '{}',
  started_at  timestamptz not null,
  finished_at timestamptz,
  sealed      bigint not null default 0
);
grant select, insert, update, delete on sealing_progress to kitlane_system;

-- To seal a row changes nothing that anybody asked for.
create or replace function date_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('kitlane.sealing', true), '') <> 'on' then new.updated_at := now(); end if;
  return new;
end $$;
create or replace function date_reports() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('kitlane.sealing', true), '') <> 'on' then
    update customers set updated_at = now()
    where (realm_id, id) = (coalesce(new.realm_id, old.realm_id), coalesce(new.customer_id, old.customer_id));
  end if;
  return null;
end $$;
