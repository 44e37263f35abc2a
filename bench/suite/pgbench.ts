import { spawn } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type CpuCost, type CpuReading, cpuCost, readCpu } from './cpu.ts'

// Where Debian puts it. Any version works with any server.
const DEBIAN = '/usr/lib/postgresql'

export async function findPgbench(): Promise<string | undefined> {
  const versions = (await readdir(DEBIAN).catch(() => [])).sort().reverse()
  for (const folder of [...versions.map((version) => join(DEBIAN, version, 'bin')), '/usr/bin']) {
    const program = join(folder, 'pgbench')
    const there = await access(program).then(
      () => true,
      () => false,
    )
    if (there) return program
  }
  return undefined
}

export interface PgbenchRun {
  program: string
  superUrl: string
  /** The script, one transaction of which is one order. */
  script: string
  clients: number
  seconds: number
  postmaster: number
}

/**
 * Transactions per second, and what each costs. The first second opens connections and prepares statements and does not
 * count, as the service has done both before.
 */
export async function runPgbench(run: PgbenchRun): Promise<{ rate: number; cpu: CpuCost }> {
  const url = new URL(run.superUrl)
  const args = ['-n', '-M', 'prepared', '-f', run.script, '-c', String(run.clients), '-j', '2', '-P', '1']
  const database = ['-h', url.hostname, '-p', url.port, '-U', url.username, url.pathname.slice(1)]
  // pgbench does not report its last second.
  const child = spawn(run.program, [...args, '-T', String(run.seconds + 2), ...database], {
    env: { PATH: process.env.PATH, PGPASSWORD: decodeURIComponent(url.password) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  let output = ''
  child.stdout.on('data', (text) => (output += text))
  const watched = { service: child.pid ?? 0, postmaster: run.postmaster }
  let before: CpuReading | undefined
  let cpu: CpuCost | undefined
  const rates: number[] = []
  for await (const line of createInterface({ input: child.stderr })) {
    const tps = /^progress: [\d.]+ s, ([\d.]+) tps/.exec(line)?.[1]
    if (tps === undefined) output += `${line}\n`
    else if (!before) before = readCpu(watched)
    else if (!cpu) {
      rates.push(Number(tps))
      if (rates.length === run.seconds) cpu = spent(before, readCpu(watched), rates)
    }
  }
  await closed
  if (!cpu || /error/i.test(output)) throw new Error(`pgbench failed:\n${output}`)
  return { rate: sum(rates) / rates.length, cpu }
}

/** pgbench is the load generator here, and there is no service. */
function spent(before: CpuReading, after: CpuReading, rates: readonly number[]): CpuCost {
  const cost = cpuCost(before, after, after.serviceUs - before.serviceUs, sum(rates))
  return { ...cost, serviceUs: 0 }
}

const sum = (list: readonly number[]) => list.reduce((all, one) => all + one, 0)
