-- The laboratories that the operator works with: what a report must say of the laboratory where a message does not.
create table laboratories (
  id         text primary key,
  name       text not null,
  -- How messages call it besides, in plain letters; the name itself is among them.
  names      text[] not null,
  address    text not null,
  clia       text,
  director   text,
  time_zone  text,
  -- Results for kits that name no laboratory are this one's.
  is_default boolean not null default false
);
create unique index laboratories_default on laboratories (is_default) where is_default;
grant select on laboratories to kitlane_app;
grant select, insert, update, delete on laboratories to kitlane_system;
