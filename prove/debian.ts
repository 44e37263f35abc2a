import { existsSync } from 'node:fs'

/** Packages of Debian's that tests and proofs take, each with a file of it. */
const files = {
  age: '/usr/bin/age',
  buildah: '/usr/bin/buildah',
  crun: '/usr/bin/crun',
  'docker-compose': '/usr/bin/docker-compose',
  'docker.io': '/usr/bin/docker',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  iptables: '/usr/sbin/iptables',
  libfaketime: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  mmdebstrap: '/usr/bin/mmdebstrap',
  patroni: '/usr/bin/patroni',
  pgbackrest: '/usr/bin/pgbackrest',
  pgbouncer: '/usr/sbin/pgbouncer',
  podman: '/usr/bin/podman',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  systemd: '/usr/bin/systemd-analyze',
  unzip: '/usr/bin/unzip',
}

export type DebianPackage = keyof typeof files

/** Those that this machine has not, each once. */
export const missingOf = (names: Iterable<DebianPackage>): DebianPackage[] =>
  [...new Set(names)].filter((name) => !existsSync(files[name]))

/** The command that installs them, as root. */
export function installing(names: readonly DebianPackage[]): string[] {
  const apt = 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends'
  return ['sh', '-c', `apt-get update -qq && ${apt} ${names.join(' ')} >/dev/null`]
}
