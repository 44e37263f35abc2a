-- E-mails, kept as they were rendered: what is sent again after a failure is the same text under the same Message-ID, and
-- what is not sent (sandbox, no mail server) can be read here.

-- E-mails, kept as they were rendered: what is sent again after a failure is the same text under the same Message-ID, and
-- what is not sent (sandbox, no mail server) can be read here.
-- queued → sent | failed | kept. claimed_at: somebody is sending it now. attempts: the fence of whoever claimed it last.
create table emails (
  realm_id        integer references realms,
  id              text primary key,
  position      bigint generated always as identity,
  kind            text not null,
  recipient       text,
  sender_name     text not null,
  reply_to        text,
  subject         text,
  text            text,
  html            text,
  status          text not null check (status in ('queued', 'sent', 'kept', 'failed')),
  attempts        integer not null default 0,
  last_error      text,
  order_id        text,
  kit_id          text,
  created_at      timestamptz not null,
  claimed_at      timestamptz,
  sent_at         timestamptz,
  secret          bytea,
  -- `sealed`: whom an e-mail is for, and its subject. `sealed_text`: what it says.
  sealed          bytea,
  sealed_text     bytea,
  recipient_hash  bytea,
  check ((status = 'sent') = (sent_at is not null))
);
alter table emails alter column sealed_text set storage external;
create index emails_position on emails (position);
create index emails_realm_position on emails (realm_id, position);
create index emails_queued on emails (created_at) where status = 'queued';
create index emails_recipient on emails (realm_id, lower(recipient));
create index emails_order on emails (realm_id, order_id) where order_id is not null;
-- What the operator's overview counts.
create index emails_failed on emails (created_at) where status = 'failed';
-- Empty once the job is done: then the hash alone finds an e-mail.
create index emails_in_clear on emails (realm_id) where sealed is null;
create index emails_recipient_hash on emails (recipient_hash) where recipient_hash is not null;
create index emails_kit on emails (realm_id, kit_id) where kit_id is not null;
select kitlane_protect('emails', 'select, insert, update, delete');
create policy realms_of_group on emails to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant insert on emails to kitlane_placement;

create function refuse_unread_email() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('kitlane.reads_sealed', true), '') <> 'on' then
    raise exception 'This process is too old to read the e-mail %', new.id using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end $$;

create trigger refuse_unread_email before update of claimed_at on emails for each row
  when (new.sealed is not null and new.claimed_at is distinct from old.claimed_at and new.claimed_at is not null)
  execute function refuse_unread_email();
