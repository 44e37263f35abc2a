#!/bin/bash
# Does what the image of PostgreSQL says it does with POSTGRES_USER, POSTGRES_PASSWORD_FILE and docker-entrypoint-initdb.d.
set -euo pipefail
bin=/usr/lib/postgresql/18/bin
export POSTGRES_USER="${POSTGRES_USER:-postgres}"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /run/postgresql
  chown postgres:postgres /var/lib/postgresql /var/lib/postgresql/18 "$PGDATA" /run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ ! -s "${POSTGRES_PASSWORD_FILE:-}" ]; then
    echo 'POSTGRES_PASSWORD_FILE is missing or empty.' >&2
    exit 1
  fi
  "$bin/initdb" --pgdata "$PGDATA" --username "$POSTGRES_USER" --pwfile "$POSTGRES_PASSWORD_FILE" --encoding UTF8 --locale C
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  "$bin/pg_ctl" --pgdata "$PGDATA" --wait --options "-c listen_addresses='' -c unix_socket_directories=/run/postgresql" start
  for file in /docker-entrypoint-initdb.d/*; do
    if [ -x "$file" ]; then "$file"; else . "$file"; fi
  done
  "$bin/pg_ctl" --pgdata "$PGDATA" --wait stop
fi
exec "$bin/postgres" -D "$PGDATA" -c "listen_addresses=*" -c unix_socket_directories=/run/postgresql
