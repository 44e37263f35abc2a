-- Registrations while they are filled in, and panels that people order again from their report.

-- What somebody has typed so far, sealed with the key of this installation, under the hash of a cookie.
create table registration_drafts (
  realm_id    integer not null references realms,
  kit_id      text not null,
  visitor     bytea not null,
  sealed      bytea not null,
  expires_at  timestamptz not null,
  primary key (realm_id, kit_id, visitor),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index registration_drafts_expiry on registration_drafts (expires_at);
select kitlane_protect('registration_drafts', 'select, insert, update, delete');

create table retests (
  realm_id     integer not null references realms,
  customer_id  bigint not null,
  kit_type     text not null,
  -- Null before the first one, and once the order is gone.
  order_id     text,
  -- When it could not be placed for lack of credits, the last time: the business is told once a day.
  refused_at   timestamptz,
  primary key (realm_id, customer_id, kit_type),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, order_id) references orders on delete set null (order_id)
);
create index retests_order on retests (realm_id, order_id);
select kitlane_protect('retests', 'select, insert, update, delete');
