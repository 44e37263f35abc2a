-- Which key seals the secrets in this database: four bytes of the key's own hash, as at the head of each sealed value. A
-- process with another key would write what nobody else can read, so that it refuses to start.
create table encryption_key (
  is_only  boolean primary key default true check (is_only),
  id       bytea not null check (octet_length(id) = 4)
);
grant select, insert on encryption_key to kitlane_app, kitlane_system;

-- What was sealed before says by which key; the newest counts. Nothing sealed yet: the first process writes its own.
set local role kitlane_system;
insert into encryption_key (id)
select substring(sealed from 2 for 4) from (
  select secret as sealed, created_at from webhook_endpoints
  union all select totp_secret, created_at from users where totp_secret is not null
) s where get_byte(sealed, 0) = 1 order by created_at desc limit 1;
reset role;
