-- What people wish for, to be told about by a day.
create table wishes (
  realm_id    integer     not null,
  id          text        not null,
  customer_id bigint      not null,
  made_at     timestamptz not null,
  due_at      timestamptz not null,
  sealed      bytea       not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
select kitlane_protect('wishes', 'select, insert, update, delete');
