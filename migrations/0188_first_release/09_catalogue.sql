-- What can be tested and ordered, who signed its ranges, and what it says to the person tested.

-- What can be tested and ordered, and the prepaid credits of each realm.
create table biomarkers (
  id          text not null,
  version     integer not null,
  definition  jsonb not null,
  reason      text not null,
  created_at  timestamptz not null,
  primary key (id, version)
);
grant select on biomarkers to kitlane_app;
grant insert, update on biomarkers to kitlane_system;

create table panels (
  kit_type    text primary key,
  name        text not null,
  sex         text check (sex in ('M', 'F')),
  biomarkers  text[] not null check (cardinality(biomarkers) > 0),
  created_at  timestamptz not null,
  -- Below 18, a parent or guardian registers the person.
  min_age     smallint not null default 18 check (min_age >= 0),
  max_age     smallint,
  check (max_age >= min_age)
);
grant select on panels to kitlane_app;
grant insert, update on panels to kitlane_system;

create table realm_panels (
  realm_id     integer not null references realms,
  kit_type     text not null references panels,
  price_minor  integer not null check (price_minor >= 0),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  created_at   timestamptz not null,
  primary key (realm_id, kit_type)
);
select kitlane_protect('realm_panels', 'select');
create policy realms_of_group on realm_panels to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant insert, update on realm_panels to kitlane_system;
grant select on realm_panels to kitlane_placement;

-- Who signed the ranges of a version of a biomarker: a director, of which laboratory, when. A version without a row is unsigned.
create table range_signatures (
  biomarker_id  text not null,
  version       integer not null,
  laboratory    text not null,
  director      text not null,
  signed_at     timestamptz not null,
  signed_by     text not null,
  primary key (biomarker_id, version),
  foreign key (biomarker_id, version) references biomarkers
);
grant select on range_signatures to kitlane_app;
grant insert on range_signatures to kitlane_system;

-- What the catalogue says to the person tested: of a biomarker what it is, what moves it and what to ask, of a panel how the sample
-- is taken. Each change is a new version. They are no part of a biomarker's definition: a text does not touch signed ranges.
create table catalogue_texts (
  subject     text not null check (subject in ('biomarker', 'panel')),
  id          text not null,
  version     integer not null,
  text        jsonb not null,
  reason      text not null,
  created_at  timestamptz not null,
  primary key (subject, id, version)
);
grant select on catalogue_texts to kitlane_app;
grant insert on catalogue_texts to kitlane_system;

-- How many days after a sample came to the laboratory the operator promises its report, by panel. Each change is a row, so that a
-- kit is measured by what was promised on the day its sample came.
create table panel_promises (
  kit_type  text not null references panels,
  since     timestamptz not null,
  -- Null: nothing is promised any more.
  days      smallint check (days between 1 and 90),
  primary key (kit_type, since)
);
grant select on panel_promises to kitlane_app;
grant insert on panel_promises to kitlane_system;
