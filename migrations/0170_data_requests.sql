-- People ask on their own pages for a copy of their data, or for its erasure. The business answers each request, by the export and
-- the erasure that exist. One request of a kind is open at a time. The erasure of the person deletes their requests.
create table data_requests (
  realm_id     integer     not null,
  id           text        not null,
  customer_id  bigint      not null,
  kind         text        not null check (kind in ('copy', 'erasure')),
  requested_at timestamptz not null,
  status       text        not null default 'open' check (status in ('open', 'granted', 'refused')),
  closed_at    timestamptz,
  closed_by    text,
  -- Why it was refused, in the words that the person reads.
  sealed       bytea       not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'open') = (closed_by is null))
);
create unique index data_requests_open on data_requests (realm_id, customer_id, kind) where status = 'open';
create index data_requests_customer on data_requests (realm_id, customer_id, requested_at);
create index data_requests_status on data_requests (realm_id, status, requested_at);
select kitlane_protect('data_requests', 'select, insert, update, delete');
