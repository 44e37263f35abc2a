-- Endpoints of businesses, and what is owed to each.
-- xact orders the feed: a reader that asks for what came after an event must not miss one that was numbered earlier but
-- committed later. It shows what was written by transactions older than any that still runs.
alter table events add column xact xid8 not null default pg_current_xact_id();
drop index events_position;
create index events_feed on events (realm_id, xact, position);

create table webhook_endpoints (
  realm_id          integer not null references realms,
  id                text not null,
  url               text not null,
  -- null: every type
  events            text[],
  payload           text not null check (payload in ('full', 'thin')),
  description       text,
  enabled           boolean not null,
  disabled_reason   text check (disabled_reason in ('business', 'gone', 'failing')),
  secret            bytea not null,
  old_secret        bytea,
  old_secret_until  timestamptz,
  -- since when every attempt has failed; null after a success
  failing_since     timestamptz,
  failures          integer not null default 0,
  created_at        timestamptz not null,
  primary key (realm_id, id),
  check (enabled = (disabled_reason is null))
);
select kitlane_protect('webhook_endpoints', 'select, insert, update, delete');

-- due_at is null once nothing more will be tried. leased_until: some process is sending it.
create table webhook_deliveries (
  realm_id      integer not null,
  id            text not null,
  endpoint_id   text not null,
  event_id      text not null,
  status        text not null check (status in ('pending', 'delivered', 'failed')),
  attempts      integer not null default 0,
  due_at        timestamptz,
  leased_until  timestamptz,
  lease         uuid,
  created_at    timestamptz not null,
  finished_at   timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, endpoint_id) references webhook_endpoints on delete cascade,
  foreign key (realm_id, event_id) references events on delete cascade,
  check ((status = 'pending') = (due_at is not null))
);
create index webhook_deliveries_due on webhook_deliveries (realm_id, endpoint_id, due_at) where status = 'pending';
create index webhook_deliveries_endpoint on webhook_deliveries (realm_id, endpoint_id, created_at desc, id);
-- What the purge looks for.
create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;
create index webhook_deliveries_event on webhook_deliveries (realm_id, event_id);
select kitlane_protect('webhook_deliveries', 'select, insert, update, delete');

-- answer: the first 2 kB, as text. What was sent is not kept here: it is made from the event each time.
create table webhook_attempts (
  realm_id     integer not null,
  delivery_id  text not null,
  number       integer not null,
  at           timestamptz not null,
  duration_ms  integer not null,
  status       integer,
  error        text,
  answer       text,
  primary key (realm_id, delivery_id, number),
  foreign key (realm_id, delivery_id) references webhook_deliveries on delete cascade
);
select kitlane_protect('webhook_attempts', 'select, insert, delete');

-- Wakes the senders, once for each statement and realm.
create function webhook_deliveries_waiting() returns trigger language plpgsql as $$
begin
  perform pg_notify('kitlane_deliveries', realm_id::text) from (select distinct realm_id from added) realms;
  return null;
end $$;
create trigger webhook_deliveries_waiting after insert on webhook_deliveries referencing new table as added
  for each statement execute function webhook_deliveries_waiting();

-- Every event is owed to every endpoint that wants its type, in the transaction that caused it; a disabled endpoint's queue
-- waits. A test event is owed to one endpoint only, by whoever makes it.
create function events_fan_out() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at)
  select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), w.id, e.id, 'pending', e.occurred_at, e.occurred_at
  from added e join webhook_endpoints w on w.realm_id = e.realm_id
  where e.type <> 'webhook.test' and (w.events is null or e.type = any(w.events));
  return null;
end $$;
create trigger events_fan_out after insert on events referencing new table as added
  for each statement execute function events_fan_out();
