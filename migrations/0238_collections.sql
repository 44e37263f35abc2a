-- What a person says of the sample of a kit: when it was taken, as they gave it, and their answers to the questions of its panel.
-- sealed: all of that. given_by: who said it last.
create table kit_collections (
  realm_id    integer not null,
  kit_id      text not null,
  given_at    timestamptz not null,
  changed_at  timestamptz not null,
  given_by    text not null check (given_by in ('person', 'business', 'operator')),
  sealed      bytea not null,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
select kitlane_protect('kit_collections', 'select, insert, update, delete');

-- Whether something was said of the sample of a kit: most kits have nothing, and are not asked.
alter table kits add column has_collection boolean not null default false;

-- What a person is asked of their sample, in this order.
alter table panels add column questions jsonb not null default '[]';
