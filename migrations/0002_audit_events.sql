-- Who did what (kept for ever, never changed) and what happened (the outbox that webhooks read).
create table audit_entries (
  realm_id     integer not null references realms,
  id           bigint generated always as identity,
  at           timestamptz not null,
  actor        text not null,
  action       text not null,
  object_type  text not null,
  object_id    text not null,
  request_id   text,
  details      jsonb,
  primary key (realm_id, id)
);
create index audit_entries_object on audit_entries (realm_id, object_type, object_id);
select kitlane_protect('audit_entries', 'select, insert');

-- order_id lets the sandbox remove the history of an order with the order.
create table events (
  realm_id     integer not null references realms,
  id           text not null,
  position     bigint generated always as identity,
  type         text not null,
  order_id     text,
  kit_id       text,
  sequence     integer,
  data         jsonb not null,
  occurred_at  timestamptz not null,
  primary key (realm_id, id)
);
create index events_position on events (realm_id, position);
create index events_order on events (realm_id, order_id);
create index events_customer on events (realm_id, (data ->> 'id')) where type = 'customer.created';
create unique index events_kit_sequence on events (realm_id, kit_id, sequence);
select kitlane_protect('events', 'select, insert');
-- Erasing a person blanks what their events say of them.
grant update (data) on events to kitlane_app;
-- History is removed in the sandbox only; live rows cannot be deleted by the program at all.
grant delete on events to kitlane_app;
create policy sandbox_only on events as restrictive for delete to kitlane_app
  using ((select mode from realms) = 'sandbox');
