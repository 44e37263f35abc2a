import { writeFile } from 'node:fs/promises'
import type { PostgresVersion } from './cluster.ts'
import { type Environment, load } from './environment.ts'
import type { LoadResult } from './http-load.ts'
import { CONNECTIONS } from './intake.ts'
import type { Second } from './latencies.ts'
import { newKeys, orderRequests } from './orders.ts'
import { runStatements } from './run-statements.ts'
import { costInWords, sideOf } from './side.ts'

const BAR = 40

/**
 * What the planner knows at first: nothing; that all tables are empty; or that they hold a few rows, after somebody has
 * tried the service out. Autovacuum finds the tables so within a minute, and a plan that is best for these may be kept.
 */
export type Start = 'untouched' | 'vacuumed while empty' | 'vacuumed after 20 orders'

export interface FirstMinute {
  businesses: number
  start: Start
  first: Phase
  steady: Phase
  /** First minute ÷ steady state. */
  ratio: number
  /** The same of the database's CPU time for an order. Not disturbed by compilers that warm up, and less by neighbours. */
  databaseRatio: number
}

type Phase = Pick<LoadResult, 'rate' | 'p50' | 'p99' | 'cpu' | 'bySecond'>

export interface FirstMinuteOptions {
  postgres: PostgresVersion
  starts: readonly Start[]
  /** Of each phase. */
  seconds: number
  /** Of orders between the phases. Without them, the database is vacuumed and analyzed instead. */
  minutesBetween: number
  say(line: string): void
}

/**
 * Places orders on a database that was migrated a moment ago, as a new installation does, and again in steady state. During
 * the first phase autovacuum is off: no statistics come to the rescue of a plan.
 */
export async function measureFirstMinute(
  environment: Environment,
  options: FirstMinuteOptions,
): Promise<FirstMinute[]> {
  const results: FirstMinute[] = []
  for (const start of options.starts) {
    for (const count of [50, 1]) results.push(await measure(environment, count, start, options))
  }
  const file = new URL(`../first-minute-${options.postgres}.json`, import.meta.url)
  await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), ...options, results }, null, 2)}\n`)
  return results
}

async function measure(
  environment: Environment,
  count: number,
  start: Start,
  { seconds, minutesBetween, say }: FirstMinuteOptions,
): Promise<FirstMinute> {
  await autovacuum(environment.superUrl, 'off')
  const { urls, superUrl, businesses } = await environment.database(
    `bench_${start.replaceAll(' ', '_')}_${count}`,
    count,
    {
      fresh: true,
    },
  )
  const service = await environment.service(urls)
  const requests = orderRequests(businesses)
  const watched = { service: service.pid, postmaster: environment.pid() }
  const over = (time: number) =>
    load({ port: service.port, connections: CONNECTIONS, seconds: time, requests, keyed: newKeys(), watched })

  if (start === 'vacuumed after 20 orders')
    await load({ port: service.port, connections: 1, seconds: 1, rate: 20, requests })
  if (start !== 'untouched') await runStatements(superUrl, 'vacuum analyze')
  const first = await over(seconds)
  say(`  ${count} businesses, ${start}: ${inWords(first)}`)
  for (const line of plot(first.bySecond)) say(`  ${line}`)
  await autovacuum(environment.superUrl, 'on')
  if (minutesBetween > 0) await over(minutesBetween * 60)
  else await runStatements(superUrl, 'vacuum analyze')
  const steady = await over(seconds)
  await service.stop()
  const ratio = first.rate / steady.rate
  const databaseRatio = (first.cpu?.databaseUs ?? Number.NaN) / (steady.cpu?.databaseUs ?? Number.NaN)
  const state = minutesBetween > 0 ? `after ${minutesBetween} more minutes` : 'after vacuum analyze'
  say(`  ${count} businesses, ${state}: ${inWords(steady)}`)
  say(
    `  ${count} businesses, first ÷ steady: ${ratio.toFixed(2)}, the database's time for an order ${databaseRatio.toFixed(2)}`,
  )
  return { businesses: count, start, first, steady, ratio, databaseRatio }
}

/** A line for each second. */
function* plot(seconds: readonly Second[]): Generator<string> {
  const most = Math.max(...seconds.map(({ answers }) => answers))
  for (const [second, { answers, p99 }] of seconds.entries()) {
    const bar = '█'.repeat(Math.round((BAR * answers) / most)).padEnd(BAR)
    const cells = [`${second + 1} s`, `${answers}/s`, bar, `p99 ${Math.round(p99)} ms`]
    yield [cells[0]?.padStart(5), cells[1]?.padStart(7), cells[2], cells[3]].join('  ')
  }
}

const inWords = (phase: Phase) =>
  `${Math.round(phase.rate)}/s, p99 ${Math.round(phase.p99)} ms; an order: ${costInWords(sideOf([phase]))}`

const autovacuum = (superUrl: string, state: 'on' | 'off') =>
  runStatements(superUrl, `alter system set autovacuum = ${state}`, 'select pg_reload_conf()')
