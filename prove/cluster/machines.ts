import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { here } from '../upgrade/before.ts'

const NOBODY = 65_534

/** The machines of `deploy/ha` on this one: each has an address of loopback, so that the ports are those of the files. */
export interface Machines {
  folder: string
  /** Programs of databases refuse to run as root. */
  account: { uid?: number; gid?: number }
  /** The address here of `10.0.0.<last>`. */
  address(last: number): string
  passwords: { postgres: string; node: string; owner: string }
  /** Writes a file of `deploy/ha` with the addresses, folders and passwords of here. Returns where. */
  configure(file: string, database?: Database): string
  /** The settings of a node in `deploy/ha/node.env`. */
  nodeEnv(): Record<string, string>
  remove(): Promise<void>
}

/** A machine with Patroni, PostgreSQL and etcd. */
export interface Database {
  name: string
  address: string
  data: string
}

export async function makeMachines({ isSynchronous }: { isSynchronous: boolean }): Promise<Machines> {
  const folder = await mkdtemp(join(tmpdir(), 'kitlane-ha-'))
  const isRoot = process.getuid?.() === 0
  const give = (path: string) => {
    if (isRoot) chownSync(path, NOBODY, NOBODY)
  }
  give(folder)
  const [second, third] = randomBytes(2)
  const network = `127.${Math.max(1, second ?? 1)}.${third}.`
  const secret = () => randomBytes(12).toString('hex')
  const passwords = { postgres: secret(), node: secret(), owner: secret() }
  const read = (file: string) => readFileSync(join(here, 'deploy', 'ha', file), 'utf8')

  function made(text: string, own: string, database?: Database): string {
    const changes: [string, string][] = [
      // What connects to an address of loopback has this one itself.
      ['10.0.0.0/24', '127.0.0.1/32'],
      ['password-of-postgres', passwords.postgres],
      ['password-of-node', passwords.node],
      ['/var/lib/postgresql/15/kitlane', database?.data ?? ''],
      ['/var/lib/postgresql', own],
      ['/var/run/postgresql', own],
      ['/var/lib/etcd', join(own, 'etcd')],
      ['/etc/pgbouncer', folder],
      ...(isSynchronous
        ? []
        : ([
            ['synchronous_mode: true', 'synchronous_mode: false'],
            ['synchronous_mode_strict: true', 'synchronous_mode_strict: false'],
          ] as [string, string][])),
    ]
    const lines = text.split('\n').map((line) => {
      if (!database || !line.endsWith('# own')) return line
      return line.replaceAll('db-1', database.name).replaceAll('10.0.0.11', database.address)
    })
    return changes
      .reduce((all, [from, to]) => all.replaceAll(from, to), lines.join('\n'))
      .replaceAll(/\b10\.0\.0\./g, network)
  }

  return {
    folder,
    account: isRoot ? { uid: NOBODY, gid: NOBODY } : {},
    address: (last) => `${network}${last}`,
    passwords,
    configure(file, database) {
      const own = database ? join(folder, database.name) : folder
      mkdirSync(own, { recursive: true })
      give(own)
      const path = join(own, file)
      writeFileSync(path, made(read(file), own, database))
      // etcd insists.
      chmodSync(own, 0o700)
      give(path)
      return path
    },
    nodeEnv: () =>
      Object.fromEntries(
        made(read('node.env'), folder)
          .split('\n')
          .filter((line) => /^[A-Z]/.test(line))
          .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
      ),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
