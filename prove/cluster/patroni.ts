import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { killTree, processTree, send } from '../process-tree.ts'
import type { Database, Machines } from './machines.ts'
import { type Part, part } from './part.ts'

interface Member {
  name: string
  role: string
  state: string
  timeline?: number
  lag?: number | string
}

/** A machine of the database: Patroni with its PostgreSQL, and etcd. */
export interface DatabaseMachine extends Database {
  patroni: Part
  etcd: Part
  /** Kills PostgreSQL; Patroni goes on. */
  killPostgres(): Promise<void>
  /** Kills all that runs there. */
  kill(): Promise<void>
  start(): void
}

export interface PatroniCluster {
  machines: DatabaseMachine[]
  primary(): Promise<DatabaseMachine>
  /** Waits until all three take part: a primary, a standby that it waits for, and one more, all on one timeline. */
  untilWhole(): Promise<void>
  /** Hands over to a standby that has everything. */
  switchOver(): Promise<void>
  /** Both standbys hear nothing more. Returns what lets them hear again, without what was on its way. */
  stopStreams(): Promise<() => void>
  stop(): Promise<void>
}

const WHOLE_WITHIN_MS = 240_000

export function patroniCluster(on: Machines, isSynchronous: boolean): PatroniCluster {
  const machines = [1, 2, 3].map((number): DatabaseMachine => {
    const name = `db-${number}`
    const database: Database = { name, address: on.address(10 + number), data: join(on.folder, name, 'data') }
    const patroni = part(on, `patroni-${number}`, '/usr/bin/patroni', [on.configure('patroni.yml', database)])
    const etcd = part(on, `etcd-${number}`, '/usr/bin/etcd', ['--config-file', on.configure('etcd.yml', database)])
    const killPostgres = async () => {
      const pid = postmaster(database.data)
      if (pid) await killTree(pid)
    }
    return {
      ...database,
      patroni,
      etcd,
      killPostgres,
      async kill() {
        // First Patroni, which would start PostgreSQL again.
        await patroni.kill()
        await Promise.all([killPostgres(), etcd.kill()])
      },
      start() {
        if (!etcd.runs()) etcd.start()
        patroni.start()
      },
    }
  })

  async function members(): Promise<Member[]> {
    for (const { address } of machines) {
      const limit = { signal: AbortSignal.timeout(3000) }
      const answer = await fetch(`http://${address}:8008/cluster`, limit).catch(() => undefined)
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members
    }
    return []
  }

  function isWhole(found: readonly Member[]): boolean {
    const [leader] = found.filter(({ role }) => role === 'leader')
    const follow = found.filter(
      ({ role, state, lag }) => role !== 'leader' && /running|streaming/.test(state) && lag === 0,
    )
    return (
      leader?.state === 'running' &&
      follow.length === 2 &&
      (!isSynchronous || follow.some(({ role }) => role === 'sync_standby')) &&
      new Set(found.map(({ timeline }) => timeline)).size === 1
    )
  }

  async function primary(): Promise<DatabaseMachine> {
    for (const deadline = performance.now() + WHOLE_WITHIN_MS; performance.now() < deadline; await delay(200)) {
      const leader = (await members()).find(({ role, state }) => role === 'leader' && state === 'running')
      const machine = machines.find(({ name }) => name === leader?.name)
      if (machine) return machine
    }
    throw new Error('the cluster has no primary')
  }

  return {
    machines,
    primary,
    async untilWhole() {
      let found: Member[] = []
      for (const deadline = performance.now() + WHOLE_WITHIN_MS; performance.now() < deadline; await delay(250)) {
        found = await members()
        if (isWhole(found)) return
      }
      throw new Error(`the cluster is not whole: ${JSON.stringify(found)}`)
    },
    async switchOver() {
      const leader = await primary()
      const standbys = (await members()).filter(({ role }) => role !== 'leader')
      const candidate = standbys.find(({ role }) => role === 'sync_standby') ?? standbys[0]
      const answer = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: candidate?.name }),
      })
      if (!answer.ok) throw new Error(`the switchover was refused: ${answer.status} ${await answer.text()}`)
    },
    async stopStreams() {
      const leader = await primary()
      const receivers = machines
        .filter(({ name }) => name !== leader.name)
        .flatMap(({ data }) => processTree(postmaster(data) ?? 0).filter(isReceiver))
      if (receivers.length !== 2) throw new Error(`${receivers.length} standbys stream, not 2`)
      for (const pid of receivers) send(pid, 'SIGSTOP')
      return () => {
        // It ends before it reads what its socket still holds.
        for (const pid of receivers) send(pid, 'SIGTERM')
        for (const pid of receivers) send(pid, 'SIGCONT')
      }
    },
    async stop() {
      for (const machine of machines) await machine.kill()
    },
  }
}

/** The process of PostgreSQL in this data folder. */
function postmaster(data: string): number | undefined {
  try {
    const [pid] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')
    // After a power cut another process may have its number.
    return readdirSync(`/proc/${pid}`).length > 0 && commandOf(Number(pid)).includes(data) ? Number(pid) : undefined
  } catch {
    // It does not run.
    return undefined
  }
}

const isReceiver = (pid: number): boolean => commandOf(pid).includes('walreceiver')

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
