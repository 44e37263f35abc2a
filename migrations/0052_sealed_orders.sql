-- What an order holds of its recipient is sealed: one value a row. The columns in clear are those of earlier versions, until
-- the job has sealed their rows. By the hash, the orders of an address are found.
alter table orders add column sealed bytea, add column email_hash bytea;

-- The search index of sealed recipients: hashes of the beginnings of e-mails and names. The job writes it anew for all
-- orders; until it has come to an order, a search does not find it by its recipient, unless it is among the newest.
create table order_finds (
  realm_id  integer not null,
  term      bigint not null,
  order_id  text not null
);
create index order_finds_term on order_finds (realm_id, term);
select kitlane_protect('order_finds', 'select, insert, delete');

create table order_finds_done (
  realm_id  integer primary key,
  -- The number of the last order of the realm that is in the index.
  seq       bigint not null
);
select kitlane_protect('order_finds_done', 'select, insert, update, delete');

-- The index before, order_terms, holds names: the job empties it.
