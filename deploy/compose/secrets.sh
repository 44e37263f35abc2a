#!/bin/sh
# Makes the passwords and the keys of compose.yaml, once, with openssl and age. Keep copies of encryption-key and backup-key
# elsewhere: without them nobody reads the data or a backup again.
set -eu
cd "$(dirname "$0")"
if [ -e secrets ]; then
  echo "$PWD/secrets is there already: nothing was changed." >&2
  exit 1
fi
for program in openssl age-keygen; do
  if ! command -v "$program" >/dev/null; then
    echo "$program is missing. On Debian: apt-get install openssl age. Nothing was made." >&2
    exit 1
  fi
done
umask 077
mkdir secrets
cd secrets
password() { openssl rand -hex 24; }
password > postgres-password
password > owner-password
password > node-password
openssl rand -base64 32 > encryption-key
age-keygen 2>/dev/null | grep ^AGE-SECRET-KEY- > backup-key
echo "postgres://kitlane:$(cat owner-password)@postgres:5432/kitlane" > owner-url
echo "postgres://kitlane_node:$(cat node-password)@pgbouncer:6432/kitlane" > node-url
echo "postgres://kitlane_node:$(cat node-password)@postgres:5432/kitlane" > node-direct-url
echo "\"kitlane_node\" \"$(cat node-password)\"" > pgbouncer-users
# The folder stays closed; inside of the containers other accounts read the files.
chmod 444 ./*
echo "Made $PWD. Keep copies of encryption-key and backup-key elsewhere, apart from each other."
