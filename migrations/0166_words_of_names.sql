-- People and recipients are found by every word of a name. A job adds the terms of the words for rows of earlier releases: `until`
-- is the last of them, `seq` how far it is.
create table customer_words (
  realm_id  integer primary key,
  seq       bigint not null default 0,
  until     bigint not null
);
select kitlane_protect('customer_words', 'select, insert, update, delete');
alter table order_finds_done add column words_seq bigint not null default 0, add column words_until bigint;
