-- E-mails, kept as they were rendered: what is sent again after a failure is the same text under the same Message-ID, and
-- what is not sent (sandbox, no mail server) can be read here.
-- queued → sent | failed | kept. claimed_at: somebody is sending it now. attempts: the fence of whoever claimed it last.
create table emails (
  realm_id     integer not null references realms,
  id           text not null,
  position     bigint generated always as identity,
  kind         text not null,
  recipient    text not null,
  sender_name  text not null,
  reply_to     text,
  subject      text not null,
  text         text not null,
  html         text not null,
  status       text not null check (status in ('queued', 'sent', 'kept', 'failed')),
  attempts     integer not null default 0,
  last_error   text,
  order_id     text,
  kit_id       text,
  created_at   timestamptz not null,
  claimed_at   timestamptz,
  sent_at      timestamptz,
  primary key (realm_id, id),
  check ((status = 'sent') = (sent_at is not null))
);
create unique index emails_id on emails (id);
create index emails_position on emails (position);
create index emails_realm_position on emails (realm_id, position);
create index emails_queued on emails (created_at) where status = 'queued';
create index emails_recipient on emails (realm_id, lower(recipient));
create index emails_order on emails (realm_id, order_id) where order_id is not null;
-- Deleted with an order of the sandbox, and in live when the person is erased.
select kitlane_protect('emails', 'select, insert, update, delete');

-- How a business shows itself in e-mails, and where it wants to be written to.
alter table realms
  add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  add column logo_url text check (logo_url ~ '^https://'),
  add column contact_email text;
grant update (brand_color, logo_url, contact_email) on realms to kitlane_app;
