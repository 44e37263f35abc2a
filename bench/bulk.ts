import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { startSubject } from '../prove/crash/service.ts'
import { caller } from '../test/harness/caller.ts'
import { aRow, CORE } from '../test/harness/orders.ts'
import { placeWithSql, prepareBaselineJob } from './sql-baseline.ts'

// Rows per second of bulk jobs through the running service, compared with one SQL statement that writes the same rows.
const ROWS = Number(process.env.ROWS ?? 10_000)
const ROUNDS = Number(process.env.ROUNDS ?? 5)

const subject = await startSubject(process.env.TEST_DATABASE_URL)
try {
  await subject.untilReady(60_000)
  const granted = String(ROWS * (2 * ROUNDS + 2))
  const made = await subject.command(
    'business',
    'create',
    '--name',
    'Bench',
    '--panels',
    CORE,
    '--credits',
    granted,
    '--json',
  )
  const clinic = caller(subject.url, JSON.parse(made.stdout).liveToken)
  const db = await subject.connect()
  const worker = subject.pid(subject.roles.at(-1) ?? '')

  async function throughService(): Promise<{ seconds: number; id: string }> {
    const bulkUploadData = Array.from({ length: ROWS }, (_, row) => aRow({ external_id: `row-${row}` }))
    const { status, body, text } = await clinic.post('/create-order', { bulkUploadData })
    if (status !== 202) throw new Error(text)
    const since = performance.now()
    while ((await statusOf(db, body.jobId)) !== 'completed') await delay(5)
    return { seconds: (performance.now() - since) / 1000, id: body.jobId }
  }

  async function runBaseline(like: string): Promise<number> {
    const id = await prepareBaselineJob(db, like)
    const since = performance.now()
    await placeWithSql(db, id)
    return (performance.now() - since) / 1000
  }

  // One run warms up both sides: plans, caches, compiled code.
  await runBaseline((await throughService()).id)
  const service: number[] = []
  const baseline: number[] = []
  const peaks = [await peakMb(worker)]
  for (let round = 1; round <= ROUNDS; round++) {
    const { seconds, id } = await throughService()
    service.push(ROWS / seconds)
    baseline.push(ROWS / (await runBaseline(id)))
    peaks.push(await peakMb(worker))
    console.log(
      `round ${round}: service ${rate(service.at(-1))}, SQL baseline ${rate(baseline.at(-1))}, peak memory ${peaks.at(-1)} MB`,
    )
  }
  await db.end()
  console.log(`service: ${spread(service)}\nSQL baseline: ${spread(baseline)}`)
  console.log(`ratio of the medians: ${(median(service) / median(baseline)).toFixed(2)}`)
  console.log(`peak memory of the worker: ${peaks.join(', ')} MB`)
} finally {
  await subject.stop()
}

async function statusOf(db: Client, id: string): Promise<string> {
  return (await db.query('select status from bulk_jobs where id = $1', [id])).rows[0].status
}

/** Peak resident memory. */
async function peakMb(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1]) / 1024)
}

function rate(value = 0): string {
  return `${Math.round(value)} rows/s`
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function spread(values: readonly number[]): string {
  return `${rate(median(values))} (${rate(Math.min(...values))} to ${rate(Math.max(...values))})`
}
