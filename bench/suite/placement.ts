import { Client } from 'pg'
import type { Business, Environment, Running } from './environment.ts'
import { load } from './environment.ts'
import { newKeys, orderRequests } from './orders.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { ratio, type Spread, spread } from './spread.ts'

const CONNECTIONS = 64
// One transaction per order. More connections would wait for one of ten database connections and be refused after 2 s.
const ONE_BY_ONE_CONNECTIONS = 8
const BUSINESSES = 50

export interface Pace {
  rounds: number
  seconds: number
  say(line: string): void
}

interface Side {
  rate: Spread
  p50Ms?: Spread
  p99Ms?: Spread
}

export interface PlacementResult {
  businesses: number
  groups: Side
  oneByOne: Side
  pgbench?: { clients8: Spread; clients32: Spread; best: Spread }
  groupsToPgbench?: Spread
  groupsToOneByOne: Spread
}

interface Stage {
  superUrl: string
  businesses: Business[]
  groups: Running
  oneByOne: Running
}

/** Measures orders per second over HTTP, against the same writes by pgbench and the service without group commit. */
export async function measurePlacement(
  environment: Environment,
  pace: Pace,
  attempt: <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>,
): Promise<{ intake: PlacementResult[]; halfLoad?: HalfLoad; cost?: Cost }> {
  const { urls, superUrl, businesses } = await environment.database('bench_placement', BUSINESSES)
  const stage: Stage = {
    superUrl,
    businesses,
    groups: await environment.service(urls),
    oneByOne: await environment.service(urls, { groupCommit: false }),
  }
  const one = await attempt('one business', () => round(stage, 1, pace))
  const many = await attempt('many businesses', () => round(stage, BUSINESSES, pace))
  const halfLoad = one && (await attempt('half load', () => measureHalfLoad(stage, one.groups.rate.median / 2, pace)))
  await stage.oneByOne.stop()
  const cost = await attempt('cost', () => measureCost(environment, stage, pace))
  await stage.groups.stop()
  const intake = [one, many].filter((result) => result !== undefined)
  return { intake, ...(halfLoad && { halfLoad }), ...(cost && { cost }) }
}

async function round(
  { superUrl, businesses: all, groups, oneByOne }: Stage,
  count: number,
  pace: Pace,
): Promise<PlacementResult> {
  const businesses = all.slice(0, count)
  const requests = orderRequests(businesses)
  const { seconds, rounds, say } = pace
  const program = await findPgbench()
  if (!program) say('pgbench is not installed (postgresql-contrib): that baseline is left out')
  const over = (port: number, connections: number, time = seconds) =>
    load({ port, connections, seconds: time, requests, keyed: newKeys() })
  // Warm up compilers, plans and caches.
  await over(groups.port, CONNECTIONS, Math.max(2, seconds / 2))
  await over(oneByOne.port, ONE_BY_ONE_CONNECTIONS, Math.max(2, seconds / 2))
  const ours = { rate: [] as number[], p50: [] as number[], p99: [] as number[] }
  const single = { rate: [] as number[], p50: [] as number[], p99: [] as number[] }
  const theirs = { clients8: [] as number[], clients32: [] as number[] }
  for (let number = 1; number <= rounds; number++) {
    note(ours, await over(groups.port, CONNECTIONS))
    if (program) theirs.clients8.push(await runPgbench(program, { superUrl, businesses, clients: 8, seconds }))
    note(single, await over(oneByOne.port, ONE_BY_ONE_CONNECTIONS))
    if (program) theirs.clients32.push(await runPgbench(program, { superUrl, businesses, clients: 32, seconds }))
    say(`  ${count} businesses, round ${number}: ${words(ours.rate, single.rate, theirs.clients8, theirs.clients32)}`)
  }
  const side = ({ rate, p50, p99 }: typeof ours): Side => ({
    rate: spread(rate),
    p50Ms: spread(p50),
    p99Ms: spread(p99),
  })
  const best = theirs.clients8.map((rate, index) => Math.max(rate, theirs.clients32[index] ?? 0))
  return {
    businesses: count,
    groups: side(ours),
    oneByOne: side(single),
    groupsToOneByOne: ratio(ours.rate, single.rate),
    ...(program && {
      pgbench: { clients8: spread(theirs.clients8), clients32: spread(theirs.clients32), best: spread(best) },
      groupsToPgbench: ratio(ours.rate, best),
    }),
  }
}

function note(
  side: { rate: number[]; p50: number[]; p99: number[] },
  { rate, p50, p99 }: { rate: number; p50: number; p99: number },
): void {
  side.rate.push(rate)
  side.p50.push(p50)
  side.p99.push(p99)
}

function words(groups: number[], single: number[], eight: number[], many: number[]): string {
  const last = (list: number[]) => Math.round(list.at(-1) ?? 0)
  return `groups ${last(groups)}/s, one by one ${last(single)}/s, pgbench ${last(eight)} and ${last(many)}/s`
}

export interface HalfLoad {
  rate: number
  p50Ms: Spread
  p99Ms: Spread
}

/** Measures the latency of an order at half of the highest rate. */
async function measureHalfLoad({ businesses, groups }: Stage, rate: number, pace: Pace): Promise<HalfLoad> {
  const { seconds, rounds, say } = pace
  const requests = orderRequests(businesses.slice(0, 1))
  const p50: number[] = []
  const p99: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const result = await load({
      port: groups.port,
      connections: CONNECTIONS,
      seconds,
      rate,
      requests,
      keyed: newKeys(),
    })
    p50.push(result.p50)
    p99.push(result.p99)
    say(
      `  half load, ${Math.round(rate)}/s, round ${number}: p50 ${result.p50.toFixed(1)} ms, p99 ${result.p99.toFixed(1)} ms`,
    )
  }
  return { rate, p50Ms: spread(p50), p99Ms: spread(p99) }
}

export interface Cost {
  withAll: Spread
  without: Spread
  /** The share of the rate that row-level security, idempotency and audit cost. */
  share: Spread
}

/** Measures the same orders without Idempotency-Keys, on a database without row-level security and audit. */
async function measureCost(environment: Environment, { businesses, groups }: Stage, pace: Pace): Promise<Cost> {
  const { seconds, rounds, say } = pace
  const bare = await environment.database('bench_bare', 1)
  await leaveOut(bare.superUrl)
  const service = await environment.service(bare.urls)
  const one = orderRequests(businesses.slice(0, 1))
  const other = orderRequests(bare.businesses)
  const withAll: number[] = []
  const without: number[] = []
  for (let number = 0; number <= rounds; number++) {
    const full = await load({ port: groups.port, connections: CONNECTIONS, seconds, requests: one, keyed: newKeys() })
    const less = await load({ port: service.port, connections: CONNECTIONS, seconds, requests: other })
    if (number === 0) continue
    withAll.push(full.rate)
    without.push(less.rate)
    say(`  cost, round ${number}: ${Math.round(full.rate)}/s with all, ${Math.round(less.rate)}/s without`)
  }
  await service.stop()
  const share = withAll.map((rate, index) => 1 - rate / (without[index] ?? Number.NaN))
  return { withAll: spread(withAll), without: spread(without), share: spread(share) }
}

async function leaveOut(superUrl: string): Promise<void> {
  const client = new Client({ connectionString: superUrl })
  await client.connect()
  await client.query(`
    do $$ declare t text; begin
      for t in select c.oid::regclass::text from pg_class c where c.relrowsecurity and c.relnamespace = 'public'::regnamespace loop
        execute format('alter table %s disable row level security', t);
      end loop;
    end $$;
    create rule no_audit as on insert to audit_entries do instead nothing`)
  await client.end()
}
