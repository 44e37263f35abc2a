-- Samples that wait for something that a person can mend, in place of being rejected: one row for a kit, beside its status.
-- causes: what was missing; mended: which of these are not missing any more. collected_on: the day that somebody gave.
-- clock: on what discard_at rests. told: how many of the e-mails of this hold are due no more.
-- sealed: the name that the person gave, until the business has decided about it.
create table held_samples (
  realm_id            integer not null,
  kit_id              text not null,
  order_id            text not null,
  live                boolean not null,
  state               text not null check (state in ('open', 'released', 'discarded')),
  causes              text[] not null,
  mended              text[] not null default '{}',
  since               timestamptz not null,
  changed_at          timestamptz not null,
  discard_at          timestamptz not null,
  clock               text not null check (clock in ('collection', 'receipt', 'extension')),
  stability_days      integer not null,
  collected_on        date,
  is_name_confirmed   boolean not null default false,
  is_identified       boolean not null default false,
  told                integer not null default 0,
  acknowledged_at     timestamptz,
  ended_by            text check (ended_by in ('mended', 'tested', 'laboratory', 'clock')),
  sealed              bytea,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade,
  check ((state = 'open') = (ended_by is null))
);
create index held_samples_state on held_samples (realm_id, state, discard_at, kit_id);
-- The operator's queue goes over all businesses: those to be taken up again first, then those nearest to their end.
create index held_samples_live on held_samples (state, discard_at, realm_id, kit_id) where live;
-- The job looks for what is due in all realms.
create index held_samples_open on held_samples (discard_at) where state = 'open';
select kitlane_protect('held_samples', 'select, insert, update, delete');

-- How long a sample of the panel can be tested after it was taken (null: 7 days), and whether it is tested without that day.
alter table panels add column stability_days integer check (stability_days between 1 and 365);
alter table panels add column collection_date_needed boolean not null default false;

-- Whether the business wants a free kit in place of a sample that had to be discarded.
alter table realms add column replace_discarded boolean not null default true;
grant update (replace_discarded) on realms to kitlane_app;
