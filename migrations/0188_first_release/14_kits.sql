-- Where each kit is, and what people agreed to, word for word.

-- progress: lifetime status → time. registration: what the person gave with this kit.
create table kits (
  realm_id          integer not null,
  id                text not null,
  seq               bigint not null,
  order_id          text not null,
  kit_type          text not null,
  kit_status        text not null,
  sample_status     text not null,
  report_status     text not null,
  exception_reason  text,
  progress          jsonb not null,
  shipment          jsonb not null default '{}',
  event_sequence    integer not null default 0,
  customer_id       bigint,
  registered_email  text,
  registered_at     timestamptz,
  registration      jsonb,
  replacement_for   text,
  replaced_by       text,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  -- The laboratory's number of a sample, scanned when it arrives.
  accession         text,
  -- The pack queue is over all businesses and holds live kits only: this keeps full sandboxes out of its index.
  live              boolean not null default false,
  sealed            bytea,
  registered_hash   bytea,
  birth_hash        bytea,
  sealed_reason     bytea,
  -- When the person said so. The carrier's word is in `progress`.
  posted_at         timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers
);
-- A kit ID is printed on the box; whoever scans it does not know the business, so it is unique over all realms.
create unique index kits_id on kits (id);
create unique index kits_seq on kits (realm_id, seq);
create index kits_order on kits (realm_id, order_id);
create index kits_customer on kits (realm_id, customer_id) where customer_id is not null;
create index kits_registered on kits (realm_id, registered_at) where registered_at is not null;
create index kits_registered_email on kits (realm_id, lower(registered_email)) where registered_email is not null;
create unique index kits_accession on kits (accession) where accession is not null;
create index kits_birth on kits ((registration->>'dateOfBirth')) where registration is not null;
-- Kits that wait, by since when; and those that a person has to look at.
create index kits_waiting on kits (realm_id, kit_status, sample_status, updated_at)
  where report_status = 'notStarted' and replaced_by is null;
create index kits_troubled on kits (realm_id, seq) where replaced_by is null and (kit_status in ('deliveryException', 'registrationException')
  or sample_status in ('rejected', 'collectionException', 'deliveryException'));
create index kits_to_pack on kits (created_at, realm_id, seq) where live and kit_status = 'preparing';
create index kits_to_receive on kits (updated_at) where live and sample_status = 'inTransit';
create index kits_updated on kits (realm_id, updated_at);
create index kits_registered_hash on kits (realm_id, registered_hash) where registered_hash is not null;
-- The same in all realms: a laboratory's message names no business.
create index kits_birth_hash on kits (birth_hash) where birth_hash is not null;
create index kits_rejected on kits (realm_id, created_at, id) where sample_status = 'rejected' and replacement_for is null;
create index kits_rejected_replacements on kits (realm_id, id) where sample_status = 'rejected' and replacement_for is not null;
select kitlane_protect('kits', 'select, insert, update');
create policy realms_of_group on kits to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy realms_of_reading on kits to kitlane_reading using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy sandbox_only on kits as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
grant delete on kits to kitlane_app;
grant insert on kits to kitlane_placement;
grant select on kits to kitlane_reading;

create table consents (
  realm_id         integer not null,
  id               bigint generated always as identity,
  kit_id           text not null,
  first_name       text,
  last_name        text,
  email            text,
  consent_version  text not null,
  research         boolean not null,
  ip               text,
  at               timestamptz not null,
  -- Null in consents of before, and where a business names a version of texts that it keeps elsewhere.
  -- relation: what the person who agreed is to the person tested; null: they are the same.
  kit_type         text,
  language         text,
  words_hash       bytea,
  relation         text check (relation in ('parent', 'guardian', 'caregiver', 'other')),
  sealed           bytea,
  email_hash       bytea,
  primary key (realm_id, id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index consents_kit on consents (realm_id, kit_id);
create index consents_email on consents (realm_id, lower(email)) where email is not null;
create index consents_email_hash on consents (realm_id, email_hash) where email_hash is not null;
select kitlane_protect('consents', 'select, insert, update');
grant delete on consents to kitlane_app;
grant usage on sequence consents_id_seq to kitlane_app, kitlane_system;

-- The operator's texts, for every business that published none of its own.
create table default_consent_texts (
  id            text primary key,
  kit_type      text references panels,
  language      text not null,
  body          text not null,
  words_hash    bytea not null,
  published_by  text not null,
  published_at  timestamptz not null
);
grant select on default_consent_texts to kitlane_app;
grant insert on default_consent_texts to kitlane_system;

-- The words do not change when a business is renamed.
insert into default_consent_texts (id, language, body, words_hash, published_by, published_at)
select 'cns_standard_2026_11', 'en', words, sha256(convert_to(words, 'UTF8')), 'system', now()
from (values ($words$- You take a small sample yourself and post it. A laboratory tests it for what this kit is made for, and for nothing else.
- The company that gave you this kit, and the people who pack, test and check for it, see what they need for that. Nobody else does.
- The result is information for you. It is not a diagnosis and does not take the place of a doctor.
- You can change your mind at any time.

# What is done with your sample

You collect a sample at home as the leaflet in the box describes, and post it to the laboratory that works for the company that gave you this kit. The laboratory measures the values that the kit was made for. It does no other tests, and no genetic tests.

The sample is destroyed after testing, once the laboratory no longer has to keep it by law.

# What is known about you

Your name, e-mail address, date of birth and sex are needed: to tell your sample from others, to reach you, and because normal values differ with age and sex. A telephone number and an address are up to you.

The company that gave you this kit, the operator of this service and the laboratory can see your details and your results as far as their work needs it. Your results are kept for as long as the law asks for, and then deleted.

They are never sold, and are not given to insurers or employers.

# What the test can and cannot do

Any test can be wrong: a value may be outside the normal range in a healthy person, or within it in a person who is ill. A sample may turn out not to be usable; you would then be told.

A result is not a diagnosis. If you feel unwell, or a result worries you, please talk to a doctor, and do not change a treatment without one. In an emergency, call the emergency number.

Collecting a sample can hurt a little, bleed or leave a bruise.

# Research, if you want it

If you tick the second box, your results without your name, e-mail address, date of birth and address may be used for research and for making tests better. If you do not tick it, nothing else changes for you.

# Your rights

You can take back this consent at any time, without a reason: on your personal page, or by telling the company that gave you this kit. What was done until then stays lawful. You can ask to see everything that is kept about you, to have it corrected, and to have it erased.

Only register a kit for yourself, or for a person whom you may decide for by law, such as your child.$words$)) as v(words);

create table consent_texts (
  realm_id      integer not null references realms,
  id            text not null,
  kit_type      text references panels,
  language      text not null,
  body          text not null,
  words_hash    bytea not null,
  published_by  text not null,
  published_at  timestamptz not null,
  primary key (realm_id, id)
);
select kitlane_protect('consent_texts', 'select, insert');

-- what: testing takes back the consent as a whole, research only the sharing of results.
-- last_consent: the newest consent that it takes back; a later one counts again. outcome: what it did to the test.
-- told_at: when the laboratory confirmed that it knows; null with `received` and `underWay`: it has to be told.
create table consent_withdrawals (
  realm_id      integer not null,
  id            text not null,
  kit_id        text not null,
  what          text not null check (what in ('testing', 'research')),
  outcome       text not null check (outcome in ('researchEnded', 'notRegistered', 'stopped', 'underWay', 'received')),
  last_consent  bigint not null default 0,
  withdrawn_by  text not null,
  at            timestamptz not null,
  told_by       text,
  told_at       timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index consent_withdrawals_kit on consent_withdrawals (realm_id, kit_id);
create index consent_withdrawals_untold on consent_withdrawals (at) where told_at is null and outcome in ('underWay', 'received');
select kitlane_protect('consent_withdrawals', 'select, insert, update');

create function forget_reason() returns trigger language plpgsql as $$
begin
  new.sealed_reason := null;
  return new;
end $$;

create function kits_live() returns trigger language plpgsql as $$
begin
  new.live := exists (select from realms where id = new.realm_id and mode = 'live');
  return new;
end $$;

-- packed: somebody began to pack it. replaced: nobody has to care for it any more.
create function tally_key(kit_status text, sample_status text, report_status text, progress jsonb, replaced_by text)
returns text language sql immutable as $$
  select kit_status || '/' || sample_status || '/' || report_status || case
    when replaced_by is not null then '/replaced'
    when kit_status = 'preparing' and progress ? 'kitPreparing' then '/packed' else '' end
$$;

create function tally_kits() returns trigger language plpgsql as $$
declare
  first constant text := 'preparing/awaitingCollection/notStarted';
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    values (new.realm_id, 'kit', tally_key(new.kit_status, new.sample_status, new.report_status, new.progress, new.replaced_by), 1);
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', key, -count(*)
    from (select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by) as key from removed) k
    where key <> first group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', key, sum(n) from (
      select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by) as key, 1 as n from added
      union all
      select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by), -1 from removed) changes
    where key <> first group by 1, 3 having sum(n) <> 0
    union all
    select realm_id, 'kit.changed', id, 1 from added where live;
  end if;
  return null;
end $$;

create trigger forget_reason before update of event_sequence on kits for each row
  when (new.sealed_reason = old.sealed_reason and new.event_sequence <> old.event_sequence)
  execute function forget_reason();
create trigger kits_live before insert on kits for each row when (not new.live) execute function kits_live();
create trigger list_changed after update on kits referencing new table as changed for each statement execute function list_changed();
create trigger list_removed after delete on kits referencing old table as changed for each statement execute function list_changed();
create trigger tally_added after insert on kits for each row
  when (new.kit_status <> 'preparing' or new.sample_status <> 'awaitingCollection' or new.report_status <> 'notStarted'
    or new.replaced_by is not null or new.progress ? 'kitPreparing')
  execute function tally_kits();
create trigger tally_changed after update on kits referencing old table as removed new table as added for each statement execute function tally_kits();
create trigger tally_removed after delete on kits referencing old table as removed for each statement execute function tally_kits();
