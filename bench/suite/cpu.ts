// What a run costs in CPU time, from /proc: of the service, of all processes of the database, and of the machine.
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

export interface Watched {
  service?: number
  postmaster: number
}

export interface CpuReading {
  /** Microseconds since the processes started. */
  serviceUs: number
  databaseUs: number
  /** Of all cores together. */
  idleUs: number
  atUs: number
}

/** Of one run, in microseconds an order. */
export interface CpuCost {
  serviceUs: number
  databaseUs: number
  loadUs: number
  /** The share of the cores that was not idle, regardless of who used them. */
  busy: number
  /** The share of the cores that service, database and load used. Far less than `busy`: others disturb. */
  share: number
}

// USER_HZ, which Linux has fixed at 100 for what it tells programs.
const TICK_US = 10_000

export function readCpu({ service, postmaster }: Watched): CpuReading {
  return {
    serviceUs: service === undefined ? 0 : processUs(service),
    databaseUs: databaseUs(postmaster),
    idleUs: idleUs(),
    atUs: performance.now() * 1000,
  }
}

export function cpuCost(before: CpuReading, after: CpuReading, loadUs: number, orders: number): CpuCost {
  const all = (after.atUs - before.atUs) * cpus().length
  return {
    serviceUs: (after.serviceUs - before.serviceUs) / orders,
    databaseUs: (after.databaseUs - before.databaseUs) / orders,
    loadUs: loadUs / orders,
    busy: 1 - (after.idleUs - before.idleUs) / all,
    share: (busyUs(before, after) + loadUs) / all,
  }
}

/** Of service and database. */
export function busyUs(before: CpuReading, after: CpuReading): number {
  return after.serviceUs - before.serviceUs + after.databaseUs - before.databaseUs
}

/** All threads of a process, including those that ended. */
function processUs(pid: number): number {
  const fields = stat(pid)
  return fields ? ticks(fields, 'utime', 'stime') * TICK_US : 0
}

/**
 * The postmaster, its children, and those that have ended, whose time the postmaster inherits. The children are read in
 * nanoseconds: in ticks, 20 of them would be wrong by up to 0.2 s.
 */
function databaseUs(postmaster: number): number {
  let sum = 0
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const fields = stat(pid)
    if (!fields) continue
    if (pid === postmaster) sum += ticks(fields, 'utime', 'stime', 'cutime', 'cstime') * TICK_US
    else if (Number(fields[STAT.ppid]) === postmaster) sum += exactUs(pid) ?? ticks(fields, 'utime', 'stime') * TICK_US
  }
  return sum
}

/** Of a process with one thread. */
function exactUs(pid: number): number | undefined {
  const text = read(`/proc/${pid}/schedstat`)
  return text === undefined ? undefined : Number(text.split(' ')[0]) / 1000
}

// Places after the program's name, which may hold spaces (proc_pid_stat(5) counts from 1, the name being 2).
const STAT = { ppid: 1, utime: 11, stime: 12, cutime: 13, cstime: 14 }

const ticks = (fields: readonly string[], ...names: (keyof typeof STAT)[]) =>
  names.reduce((sum, name) => sum + Number(fields[STAT[name]]), 0)

/** Undefined once the process has ended. */
function stat(pid: number): string[] | undefined {
  const text = read(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** The kernel knows idle time exactly; of busy time it takes samples. Waiting for a disk is idle, too. */
function idleUs(): number {
  const line = read('/proc/stat')?.split('\n')[0] ?? ''
  const [, , , idle = 0, waiting = 0] = line.trim().split(/\s+/).slice(1).map(Number)
  return (idle + waiting) * TICK_US
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
