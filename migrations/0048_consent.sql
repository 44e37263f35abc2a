-- What people agree to, word for word; that they can take it back; and who may be tested, at which age.
-- A text is published and never changes: the program may insert it and nothing else.
-- kit_type null: for every panel. words_hash: SHA-256 of the body.

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
grant select, insert on default_consent_texts to kitlane_system;

-- The text of the pages of before, without the name of the business: the words do not change when a business is renamed.
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

-- Null in consents of before, and where a business names a version of texts that it keeps elsewhere.
-- relation: what the person who agreed is to the person tested; null: they are the same.
alter table consents add column kit_type text;
alter table consents add column language text;
alter table consents add column words_hash bytea;
alter table consents add column relation text check (relation in ('parent', 'guardian', 'other'));

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

-- Below 18, a parent or guardian registers the person.
alter table panels add column min_age smallint not null default 18 check (min_age >= 0);
alter table panels add column max_age smallint check (max_age >= min_age);

-- Who decides for a customer who is a minor, and gets the e-mails in their place. The last one named. Name and e-mail are
-- sealed; the hash finds the minors of an address.
create table guardians (
  realm_id     integer not null,
  customer_id  bigint not null,
  relation     text not null check (relation in ('parent', 'guardian', 'other')),
  sealed       bytea not null,
  email_hash   bytea not null,
  at           timestamptz not null,
  primary key (realm_id, customer_id),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index guardians_email on guardians (realm_id, email_hash);
select kitlane_protect('guardians', 'select, insert, update, delete');
