#!/bin/sh
# Run by the PostgreSQL image when it makes the database: its owner, and the login of the nodes.
set -eu
psql --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set owner="$(cat /run/secrets/owner-password)" --set node="$(cat /run/secrets/node-password)" <<'SQL'
create role kitlane login createrole password :'owner';
create database kitlane owner kitlane;
-- The role that the program works as belongs to the owner, who makes the others.
set role kitlane;
create role kitlane_app nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
reset role;
create role kitlane_node login password :'node' in role kitlane_app;
SQL
