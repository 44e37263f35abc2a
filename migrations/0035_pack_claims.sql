-- Who packs which kit now, so that two packers never get the same one. A row that has expired says nothing: a browser
-- that died holds its kit for minutes only.
-- caller_id: a user or a token of the operator; station: one of their windows.
create table pack_claims (
  realm_id    integer not null,
  kit_id      text not null,
  caller_id   text not null,
  station     text not null,
  expires_at  timestamptz not null,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index pack_claims_holder on pack_claims (caller_id, station);
select kitlane_protect('pack_claims', 'select');
grant insert, update, delete on pack_claims to kitlane_system;
