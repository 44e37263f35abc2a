import { openBehind } from './behind.ts'
import { type Environment, load } from './environment.ts'
import { CONNECTIONS, measureIntake, type PlacementResult, type Stage } from './intake.ts'
import { newKeys, orderRequests } from './orders.ts'
import { openPeer } from './peer.ts'
import { type Cost, measureSafeguards } from './safeguards.ts'
import { type Spread, spread } from './spread.ts'

const BUSINESSES = 50

export interface Pace {
  rounds: number
  seconds: number
  say(line: string): void
}

/** Measures orders over HTTP: the rate, the latency at half of it, and what the safeguards cost. */
export async function measurePlacement(
  environment: Environment,
  pace: Pace,
  attempt: <T>(name: string, work: () => Promise<T>) => Promise<T | undefined>,
  { justIntake = false } = {},
): Promise<{ intake: PlacementResult[]; halfLoad?: HalfLoad; cost?: Cost }> {
  const { urls, superUrl, businesses } = await environment.database('bench_placement', BUSINESSES)
  const peer = await openPeer(environment)
  if (!peer) pace.say('pgbench is not installed (postgresql-contrib): the frozen peer is left out')
  const stage: Stage = {
    superUrl,
    businesses,
    peer,
    postmaster: environment.pid(),
    groups: await environment.service(urls),
    // It leaves the work behind to the other one.
    oneByOne: await environment.service(urls, { groupCommit: false, role: 'api' }),
    behind: await openBehind(urls, superUrl),
  }
  const one = await attempt('one business', () => measureIntake(stage, 1, pace))
  const many = await attempt('many businesses', () => measureIntake(stage, BUSINESSES, pace))
  const halfLoad =
    !justIntake && one && (await attempt('half load', () => measureHalfLoad(stage, one.groups.rate.median / 2, pace)))
  await Promise.all([stage.oneByOne.stop(), stage.behind.close()])
  const cost = justIntake ? undefined : await attempt('cost', () => measureSafeguards(environment, stage, pace))
  await stage.groups.stop()
  const intake = [one, many].filter((result) => result !== undefined)
  return { intake, ...(halfLoad && { halfLoad }), ...(cost && { cost }) }
}

export interface HalfLoad {
  rate: number
  p50Ms: Spread
  p99Ms: Spread
}

/** Measures the latency of an order at half of the highest rate. */
async function measureHalfLoad({ businesses, groups }: Stage, rate: number, pace: Pace): Promise<HalfLoad> {
  const { seconds, rounds, say } = pace
  const { port } = groups
  const requests = orderRequests(businesses.slice(0, 1))
  const p50: number[] = []
  const p99: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const result = await load({ port, connections: CONNECTIONS, seconds, rate, requests, keyed: newKeys() })
    p50.push(result.p50)
    p99.push(result.p99)
    const [half, slow] = [result.p50.toFixed(1), result.p99.toFixed(1)]
    say(`  half load, ${Math.round(rate)}/s, round ${number}: p50 ${half} ms, p99 ${slow} ms`)
  }
  return { rate, p50Ms: spread(p50), p99Ms: spread(p99) }
}
