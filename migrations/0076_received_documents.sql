-- Every result that was received, matched or not, as it was sent: one row for each report of a message or file, with the count
-- of its lines. What waits of it is counted in unassessed_results.
create table received_documents (
  realm_id     integer not null,
  id           text not null,
  customer_id  bigint not null,
  kit_id       text,
  data_id      text,
  report_id    text,
  format       text not null,
  -- Lines that look like results, and what became of them at once; the others waited.
  lines        integer not null,
  assessed     integer not null,
  left_out     integer not null,
  received_at  timestamptz not null,
  sealed       bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, kit_id) references kits on delete cascade,
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index received_documents_customer on received_documents (realm_id, customer_id);
create index received_documents_kit on received_documents (realm_id, kit_id);
create index received_documents_data on received_documents (realm_id, data_id);
create index received_documents_report on received_documents (realm_id, report_id);
create unique index received_documents_id on received_documents (id);
select kitlane_protect('received_documents', 'select, insert, update, delete');

alter table unassessed_results add column received_id text;
create index unassessed_results_received on unassessed_results (realm_id, received_id) where received_id is not null;
