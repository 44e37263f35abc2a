-- Failed attempts are counted by place: an IPv4 address, the /64 of an IPv6 address, or a place that is known to the
-- account (a browser that it signed in with, a session, a link that was e-mailed), which the guesses of others never lock.
comment on column sign_in_failures.ip is 'The place: an IPv4 address, a /64 of IPv6, or a place known to the account.';
alter table sign_in_failures add column known boolean not null default false;
-- For the failures of one network at all accounts, and for those of everybody.
create index sign_in_failures_ip on sign_in_failures (ip, at);
create index sign_in_failures_at on sign_in_failures (at);

-- Browsers that an account signed in with: their cookie is 256 random bits, so its hash is enough.
create table known_devices (
  hash     bytea not null,
  user_id  text not null references users on delete cascade,
  seen_at  timestamptz not null,
  primary key (hash, user_id)
);
create index known_devices_user on known_devices (user_id);
grant select, insert, update, delete on known_devices to kitlane_system;
