-- What the operator says of the layouts of laboratories' documents: each change is a new version. The newest one that is on counts.
create table layout_templates (
  name        text not null,
  version     integer not null,
  template    jsonb not null,
  is_on       boolean not null default true,
  created_at  timestamptz not null,
  primary key (name, version)
);
grant select on layout_templates to kitlane_app;
grant select, insert, update (is_on) on layout_templates to kitlane_system;
