-- What is known of people is sealed before it reaches SQL. The columns in clear remain for rows and processes of the version
-- before; a job seals such rows and empties them, so they may be null. A person is found by keyed hashes: of the whole e-mail
-- address, and of how e-mail address and names begin.
alter table customers drop constraint customers_check;
alter table customers add column sealed bytea, add column email_hash bytea;
create unique index customers_email_hash on customers (realm_id, email_hash);

-- A row for each beginning. Row-level security lets no index help with arrays: their operators are not marked leakproof.
create table customer_finds (
  realm_id     integer not null references realms,
  term         bigint not null,
  customer_id  bigint not null,
  primary key (realm_id, term, customer_id)
);
select kitlane_protect('customer_finds', 'select, insert, delete');

-- While both versions run, a process of the version before does not see that a sealed row has an e-mail address, and makes
-- the person again. When the job seals this second row, it is left without the hash: the person who was known first is found.
create function customers_twin() returns trigger language plpgsql as $$
begin
  if current_setting('kitlane.sealing', true) = 'on' and exists (
    select from customers c where c.realm_id = new.realm_id and c.email_hash = new.email_hash and c.id <> new.id) then
    new.email_hash := null;
  end if;
  return new;
end $$;
create trigger customers_twin before update of email_hash on customers for each row
  when (old.email_hash is distinct from new.email_hash) execute function customers_twin();

alter table kits add column sealed bytea, add column registered_hash bytea, add column birth_hash bytea;
create index kits_registered_hash on kits (realm_id, registered_hash) where registered_hash is not null;
-- The same in all realms: a laboratory's message names no business.
create index kits_birth_hash on kits (birth_hash) where birth_hash is not null;

alter table consents add column sealed bytea, add column email_hash bytea;
create index consents_email_hash on consents (realm_id, email_hash) where email_hash is not null;
-- A value is sealed for one row: its number is drawn before.
grant usage on sequence consents_id_seq to kitlane_app, kitlane_system;
