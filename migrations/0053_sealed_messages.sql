-- What passes through on its way is sealed before it reaches SQL: e-mails, events, answers that are kept, requests that
-- wait for a card or a bulk job, what carriers and webhook endpoints say. The columns in clear remain for rows of the
-- version before; a job seals such rows and empties these columns, so they may be null.
-- A process of the version before cannot read what this one sealed: it sends no e-mail of this one, and tries again.

-- `sealed`: whom an e-mail is for, and its subject. `sealed_text`: what it says.
alter table emails
  alter column recipient drop not null, alter column subject drop not null,
  alter column text drop not null, alter column html drop not null,
  add column sealed bytea, add column sealed_text bytea, add column recipient_hash bytea,
  alter column sealed_text set storage external;
-- Empty once the job is done: then the hash alone finds an e-mail.
create index emails_in_clear on emails (realm_id) where sealed is null;
create index emails_recipient_hash on emails (recipient_hash) where recipient_hash is not null;

-- `sealed`: all that an event says, if it says anything of a person. `data` then holds the rest of it.
alter table events add column sealed bytea;
grant update (sealed) on events to kitlane_app;
grant update (data, sealed) on events to kitlane_system;

alter table webhook_attempts add column sealed bytea;
grant update (answer, sealed) on webhook_attempts to kitlane_system;

alter table idempotency_keys add column sealed bytea, alter column sealed set storage external;
alter table operator_idempotency_keys add column sealed bytea, alter column sealed set storage external;

alter table payments
  drop constraint payments_check1, add column sealed bytea, alter column sealed set storage external,
  add constraint payments_request check ((state = 'requested') = (request is not null or sealed is not null)) not valid;
alter table bulk_rows
  drop constraint bulk_rows_check, add column sealed bytea,
  add constraint bulk_rows_request check ((status = 'pending') = (request is not null or sealed is not null)) not valid;

alter table carrier_events add column sealed bytea;

-- A process of the version before would hand over an e-mail without an address, and give it up: it is to leave it to others.
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

-- It cancels rows without emptying what it does not know.
create function empty_done_row() returns trigger language plpgsql as $$
begin
  new.sealed := null;
  return new;
end $$;
create trigger empty_done_row before update of status on bulk_rows for each row
  when (new.status <> 'pending' and new.sealed is not null) execute function empty_done_row();
