import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { createCluster } from '../../test/harness/debian-cluster.ts'
import { freePort } from '../../test/harness/free-port.ts'
import { killTree, processTree, send } from '../process-tree.ts'

const UP_WITHIN_MS = 60_000

/** A PostgreSQL server that the proof runs. */
export interface Server {
  port: number
  url: string
  /** Connects as a superuser, without the proxy. */
  connect(): Promise<Client>
  start(): Promise<void>
  /** What `pg_ctl restart -m immediate` does: no checkpoint, and recovery at the start. */
  restart(): Promise<void>
  /** Kills like a power cut: nothing is flushed and no client is notified. */
  kill(): Promise<void>
  /** Pauses or resumes all of its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  promote(): Promise<void>
}

export interface Servers {
  primary: Server
  /** After `synchronize` it holds everything that the primary confirms. */
  standby: Server
  synchronize(): Promise<void>
  remove(): Promise<void>
}

/** Creates a primary and its standby with the programs in `bin`, on loopback, as an unprivileged user. */
export async function makeServers(bin: string): Promise<Servers> {
  const password = randomBytes(16).toString('hex')
  const cluster = await createCluster(bin, password)
  const { folder, data, account, give } = cluster
  const [port, standbyPort] = [await freePort(), await freePort()]
  // A copy of the stopped primary: from here on it needs only the write-ahead log.
  const copy = join(folder, 'standby')
  cpSync(data, copy, { recursive: true })
  writeFileSync(join(copy, 'standby.signal'), '')
  writeFileSync(
    join(copy, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=kitlane password=${password} application_name=standby'\n` +
      `wal_retrieve_retry_interval = '500ms'\n`,
  )
  for (const path of [copy, ...readdirSync(copy, { recursive: true }).map((name) => join(copy, String(name)))])
    give(path)
  spawnSync('chmod', ['700', copy])

  const made = (dataDir: string, ownPort: number): Server => {
    const url = `postgres://kitlane:${password}@127.0.0.1:${ownPort}/postgres`
    const connect = async () => {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 3000, query_timeout: 10_000 })
      // The proof kills servers. Callers reconnect after a lost connection.
      client.on('error', () => {})
      await client.connect()
      return client
    }
    let running: number | undefined
    const self: Server = {
      port: ownPort,
      url,
      connect,
      async start() {
        const settings = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'wal_keep_size=1GB']
        const args = ['-D', dataDir, '-p', String(ownPort), ...settings.flatMap((setting) => ['-c', setting])]
        const child = spawn(join(bin, 'postgres'), args, { ...account, cwd: folder, stdio: 'ignore', detached: true })
        child.unref()
        running = child.pid
        // Read its status file instead of connecting: a service may hold every connection.
        const isReady = () => {
          const [pid, , , , , , , state = ''] = statusOf(dataDir)
          return Number(pid) === child.pid && /^(ready|standby) *$/.test(state)
        }
        for (const deadline = performance.now() + UP_WITHIN_MS; !isReady(); await delay(50)) {
          if (performance.now() > deadline) throw new Error('PostgreSQL did not start')
        }
      },
      async restart() {
        const args = ['-D', dataDir, '-m', 'immediate', '-w', 'stop']
        const stopping = spawn(join(bin, 'pg_ctl'), args, { ...account, cwd: folder, stdio: 'ignore' })
        const [code] = await once(stopping, 'exit')
        if (code !== 0) throw new Error(`pg_ctl stop ended with ${code}`)
        running = undefined
        await self.start()
      },
      async kill() {
        if (running === undefined) return
        const pid = running
        // Another process may get this number later.
        running = undefined
        await killTree(pid)
      },
      signal(signal) {
        for (const pid of running === undefined ? [] : processTree(running)) send(pid, signal)
      },
      promote: async () => void cluster.run('pg_ctl', ['-D', dataDir, '-w', 'promote']),
    }
    return self
  }
  const primary = made(data, port)
  const standby = made(copy, standbyPort)
  await primary.start()
  await standby.start()
  return {
    primary,
    standby,
    async synchronize() {
      const db = await primary.connect()
      await db.query(`alter system set synchronous_standby_names = 'standby'`)
      await db.query('select pg_reload_conf()')
      const state = `select 1 from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`
      while ((await db.query(state)).rows.length === 0) await delay(100)
      // Other processes read the setting a moment later. Wait for the commits until then to reach the standby too.
      await delay(1000)
      const { rows } = await db.query('select pg_current_wal_lsn() as lsn')
      const behind = 'select 1 from pg_stat_replication where flush_lsn < $1'
      while ((await db.query(behind, [rows[0].lsn])).rows.length > 0) await delay(50)
      await db.end()
    },
    async remove() {
      // A server that is already dead has no processes left.
      for (const server of [standby, primary]) await server.kill()
      await cluster.remove()
    },
  }
}

/** The lines of postmaster.pid. The first is the process ID, the eighth the state. */
function statusOf(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    // The file does not exist before the server starts.
    return []
  }
}
