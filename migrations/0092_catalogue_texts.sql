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
grant select, insert on catalogue_texts to kitlane_system;
