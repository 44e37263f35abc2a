-- How many days after a sample came to the laboratory the operator promises its report, by panel. Each change is a row, so that a
-- kit is measured by what was promised on the day its sample came.
create table panel_promises (
  kit_type text        not null references panels,
  since    timestamptz not null,
  -- Null: nothing is promised any more.
  days     smallint check (days between 1 and 90),
  primary key (kit_type, since)
);
grant select on panel_promises to kitlane_app;
grant select, insert on panel_promises to kitlane_system;
