import type { Behind } from './behind.ts'
import { type Business, load, type Running } from './environment.ts'
import type { LoadResult } from './http-load.ts'
import { newKeys, orderRequests } from './orders.ts'
import type { Peer, PeerBusinesses } from './peer.ts'
import type { Pace } from './placement.ts'
import { runStatements } from './run-statements.ts'
import { costInWords, ratesOf, type Side, sideOf } from './side.ts'
import { ratio, type Spread } from './spread.ts'

export const CONNECTIONS = 64
// One transaction per order. More connections would wait for one of ten database connections and be refused after 2 s.
const ONE_BY_ONE_CONNECTIONS = 8

export interface Stage {
  superUrl: string
  businesses: Business[]
  postmaster: number
  groups: Running
  oneByOne: Running
  peer: Peer | undefined
  behind: Behind
}

export interface PlacementResult {
  businesses: number
  groups: Side
  oneByOne: Side
  groupsToOneByOne: Spread
  /** The frozen peer: the better of 8 and 32 clients in each round. */
  peer?: Side
  groupsToPeer?: Spread
}

type Round = Pick<LoadResult, 'rate' | 'cpu'> & { behindUs?: number }

/** Orders per second of the service, of the frozen peer, and of the service with a transaction for each order, in turns. */
export async function measureIntake(stage: Stage, count: PeerBusinesses, pace: Pace): Promise<PlacementResult> {
  const { groups, oneByOne, peer } = stage
  const { seconds, rounds, say } = pace
  const requests = orderRequests(stage.businesses.slice(0, count))
  const over = async ({ port, pid }: Running, connections: number, time = seconds) => {
    const watched = { service: pid, postmaster: stage.postmaster }
    const result = await load({ port, connections, seconds: time, requests, keyed: newKeys(), watched })
    const behind = await stage.behind.work({ ...watched, service: groups.pid })
    return { ...result, behindUs: behind / result.answers }
  }
  const warmUp = Math.max(2, Math.floor(seconds / 2))
  await over(groups, CONNECTIONS, warmUp)
  await over(oneByOne, ONE_BY_ONE_CONNECTIONS, warmUp)
  await peer?.run({ businesses: count, clients: 8, seconds: warmUp })
  // Both sides then have fresh statistics. What they do without is measured by the first minute.
  for (const url of peer ? [stage.superUrl, peer.superUrl] : [stage.superUrl]) await runStatements(url, 'analyze')
  const ours: Round[] = []
  const single: Round[] = []
  const theirs: Round[] = []
  for (let number = 1; number <= rounds; number++) {
    ours.push(await over(groups, CONNECTIONS))
    const eight = await peer?.run({ businesses: count, clients: 8, seconds })
    single.push(await over(oneByOne, ONE_BY_ONE_CONNECTIONS))
    const many = await peer?.run({ businesses: count, clients: 32, seconds })
    if (eight && many) theirs.push(many.rate > eight.rate ? many : eight)
    const peers = eight && many ? `, peer ${Math.round(eight.rate)} and ${Math.round(many.rate)}/s` : ''
    say(`  ${count} businesses, round ${number}: groups ${inOne(ours)}, one by one ${inOne(single)}${peers}`)
    say(`    an order of groups: ${costInWords(sideOf(ours.slice(-1)))}`)
    if (theirs.length > 0) say(`    an order of the peer: ${costInWords(sideOf(theirs.slice(-1)))}`)
  }
  return {
    businesses: count,
    groups: sideOf(ours),
    oneByOne: sideOf(single),
    groupsToOneByOne: ratio(ratesOf(ours), ratesOf(single)),
    ...(peer && { peer: sideOf(theirs), groupsToPeer: ratio(ratesOf(ours), ratesOf(theirs)) }),
  }
}

const inOne = (rounds: readonly Round[]) => `${Math.round(rounds.at(-1)?.rate ?? 0)}/s`
