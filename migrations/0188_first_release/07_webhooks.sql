-- Endpoints of businesses, and what is owed to each.

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
  -- An endpoint may ask for the events of a kit in their order, and for no more than some deliveries a second.
  ordering          text not null default 'none' check (ordering in ('none', 'kit')),
  rate_limit        integer check (rate_limit between 1 and 1000),
  -- Until when the deliveries that were claimed use up the limit.
  paced_until       timestamptz,
  primary key (realm_id, id),
  check (enabled = (disabled_reason is null))
);
create index webhook_endpoints_paced on webhook_endpoints (realm_id, id) where ordering <> 'none' or rate_limit is not null;
select kitlane_protect('webhook_endpoints', 'select, insert, update, delete');
create policy realms_of_group on webhook_endpoints to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant select on webhook_endpoints to kitlane_placement;

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
  -- subject: the kit of the event, or its order if it has no kit. Only deliveries in an order have one: those that a person
  -- sends again do not. It is not sent while an earlier one of the same subject, or of the kit's order, is pending.
  subject       text,
  order_id      text,
  position    bigint,
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
create index webhook_deliveries_subject on webhook_deliveries (realm_id, endpoint_id, subject, position)
  where status = 'pending' and subject is not null;
create index webhook_deliveries_failed on webhook_deliveries (realm_id, endpoint_id, created_at desc, id)
  where status = 'failed';
select kitlane_protect('webhook_deliveries', 'select, insert, update, delete');
create policy realms_of_group on webhook_deliveries to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant insert on webhook_deliveries to kitlane_placement;

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
  sealed       bytea,
  primary key (realm_id, delivery_id, number),
  foreign key (realm_id, delivery_id) references webhook_deliveries on delete cascade
);
select kitlane_protect('webhook_attempts', 'select, insert, delete');
grant update (answer, sealed) on webhook_attempts to kitlane_system, kitlane_app;

-- The log of deliveries says how many there are: tallies of each endpoint ('delivery' with its ID) say it without reading a
-- month of them. They have those that were made since an hour from now, which no transaction from before these triggers is;
-- older ones are counted by their index, until the last of them is purged.
create table deliveries_tallied (
  is_only  boolean default true primary key check (is_only),
  since    timestamptz not null
);
grant select on deliveries_tallied to kitlane_app, kitlane_placement;

create function tally_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'delivery', endpoint_id, count(*) from added
    where created_at >= (select since from deliveries_tallied) group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'delivery', endpoint_id, -count(*) from removed
    where created_at >= (select since from deliveries_tallied) group by 1, 3;
  end if;
  return null;
end $$;

-- Wakes the senders, once for each statement and realm.
create function webhook_deliveries_waiting() returns trigger language plpgsql as $$
begin
  perform pg_notify('kitlane_deliveries', realm_id::text) from (select distinct realm_id from added) realms;
  return null;
end $$;

create trigger tally_added after insert on webhook_deliveries referencing new table as added
  for each statement execute function tally_deliveries();
create trigger tally_removed after delete on webhook_deliveries referencing old table as removed
  for each statement execute function tally_deliveries();
create trigger webhook_deliveries_waiting after insert on webhook_deliveries referencing new table as added
  for each statement execute function webhook_deliveries_waiting();

insert into deliveries_tallied (since) values (clock_timestamp() + interval '1 hour');
