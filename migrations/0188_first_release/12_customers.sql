-- The people tested. What is known of them is sealed before it reaches SQL; they are found by keyed hashes.

-- The people tested, what was ordered for whom, and where each kit is.
create table customers (
  realm_id       integer not null references realms,
  id             bigint not null,
  seq            bigint not null,
  external_id    text,
  email          text,
  name           text,
  first_name     text,
  last_name      text,
  date_of_birth  date,
  gender         text check (gender in ('M', 'F', 'X')),
  phone          text,
  address        jsonb,
  race           text,
  research       boolean not null default false,
  custom_tags    text[] not null default '{}',
  created_at     timestamptz not null,
  erased_at      timestamptz,
  email_key      text collate "C" generated always as (lower(email)) stored,
  name_key       text collate "C" generated always as (lower(name)) stored,
  last_key       text collate "C" generated always as (lower(coalesce(last_name, substring(name from '[^ ]+$')))) stored,
  updated_at     timestamptz,
  -- Null where the name is plain already.
  name_plain     text collate "C",
  last_plain     text collate "C",
  sealed         bytea,
  email_hash     bytea,
  -- In which language a person reads their pages and gets e-mails: `en`, `ar`. Null: nobody knows yet.
  language       text check (language ~ '^[a-z]{2}$'),
  primary key (realm_id, id)
);
create unique index customers_email on customers (realm_id, lower(email));
create unique index customers_external_id on customers (realm_id, external_id);
create unique index customers_seq on customers (realm_id, seq);
create index customers_email_key on customers (realm_id, email_key);
create index customers_name_key on customers (realm_id, name_key);
create index customers_last_key on customers (realm_id, last_key);
-- A new link is asked for by an e-mail, whichever business it is known to.
create index customers_email_of_all on customers (lower(email)) where email is not null;
create index customers_updated on customers (realm_id, updated_at) where updated_at is not null;
create index customers_created on customers (realm_id, created_at);
create index customers_name_plain on customers (realm_id, name_plain) where name_plain is not null;
create index customers_last_plain on customers (realm_id, last_plain) where last_plain is not null;
create unique index customers_email_hash on customers (realm_id, email_hash);
select kitlane_protect('customers', 'select, insert, update');
create policy sandbox_only on customers as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
grant delete on customers to kitlane_app;

-- Who decides for a customer who is a minor, and gets the e-mails in their place. The last one named. Name and e-mail are
-- sealed; the hash finds the minors of an address.
create table guardians (
  realm_id     integer not null,
  customer_id  bigint not null,
  relation     text not null check (relation in ('parent', 'guardian', 'caregiver', 'other')),
  sealed       bytea not null,
  email_hash   bytea not null,
  at           timestamptz not null,
  primary key (realm_id, customer_id),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index guardians_email on guardians (realm_id, email_hash);
select kitlane_protect('guardians', 'select, insert, update, delete');

-- A row for each beginning. Row-level security lets no index help with arrays: their operators are not marked leakproof.
create table customer_finds (
  realm_id     integer not null references realms,
  term         bigint not null,
  customer_id  bigint not null,
  primary key (realm_id, term, customer_id)
);
select kitlane_protect('customer_finds', 'select, insert, delete');

-- People and recipients are found by every word of a name. A job adds the terms of the words for rows of earlier releases: `until`
-- is the last of them, `seq` how far it is.
create table customer_words (
  realm_id  integer primary key,
  seq       bigint not null default 0,
  until     bigint not null
);
select kitlane_protect('customer_words', 'select, insert, update, delete');

create function customers_plain() returns trigger language plpgsql as $$
begin
  new.name_plain := nullif(kitlane_plain(new.name), lower(new.name));
  new.last_plain := nullif(
    kitlane_plain(coalesce(new.last_name, substring(new.name from '[^ ]+$'))),
    lower(coalesce(new.last_name, substring(new.name from '[^ ]+$'))));
  return new;
end $$;

create function customers_twin() returns trigger language plpgsql as $$
begin
  if current_setting('kitlane.sealing', true) = 'on' and exists (
    select from customers c where c.realm_id = new.realm_id and c.email_hash = new.email_hash and c.id <> new.id) then
    new.email_hash := null;
  end if;
  return new;
end $$;

create trigger customers_date_change before update on customers for each row execute function date_change();
create trigger customers_plain before insert or update of name, last_name on customers for each row
  execute function customers_plain();
create trigger customers_twin before update of email_hash on customers for each row
  when (old.email_hash is distinct from new.email_hash) execute function customers_twin();
create trigger list_changed after update on customers referencing new table as changed for each statement execute function list_changed();
create trigger list_removed after delete on customers referencing old table as changed for each statement execute function list_changed();
