-- Sentences of laboratories that are not known, and that a reviewer let pass beside a biomarker: by a keyed hash of laboratory,
-- biomarker and sentence. customer_id: beside whose result, with whose erasure it is forgotten.
create table passed_remarks (
  realm_id     integer not null,
  id           text not null,
  customer_id  bigint not null,
  key_hash     bytea not null,
  sealed       bytea not null,
  passed_by    text not null,
  passed_at    timestamptz not null,
  primary key (realm_id, id),
  unique (realm_id, key_hash),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index passed_remarks_newest on passed_remarks (passed_at desc, id);
create index passed_remarks_customer on passed_remarks (realm_id, customer_id);
-- Staff of the operator name one without its realm.
create unique index passed_remarks_id on passed_remarks (id);
select kitlane_protect('passed_remarks', 'select, insert, delete');
