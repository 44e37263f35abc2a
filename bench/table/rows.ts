import type { PostgresVersion } from '../suite/cluster.ts'
import type { Results } from '../suite/results.ts'
import { costInWords } from '../suite/side.ts'
import { inWords, type Spread } from '../suite/spread.ts'

export type Row = readonly [measure: string, ours: string, baseline: string]

export interface Published extends Results {
  at: string
  postgres?: PostgresVersion
  machine: { cores: number; cpu: string; memoryGb: number; node: string }
}

export function* intakeRows({ intake = [] }: Published): Generator<Row> {
  for (const { businesses, groups, oneByOne, peer, groupsToPeer, groupsToOneByOne } of intake) {
    const who = businesses === 1 ? 'one business' : `${businesses} businesses`
    const measure = `orders placed per second over HTTP, ${who}, 64 connections`
    const single = `one transaction per order: ${inWords(oneByOne.rate)} (ratio ${two(groupsToOneByOne)})`
    if (peer && groupsToPeer) {
      const theirs = `the same by hand in SQL ([bench/peer](../bench/peer/schema.sql)), best of 8 and 32 clients`
      yield [measure, inWords(groups.rate), `${theirs}: ${inWords(peer.rate)} (ratio ${two(groupsToPeer)})`]
      yield ['', '', single]
      yield [`CPU time of an order, ${who}`, costInWords(groups), costInWords(peer)]
    } else yield [measure, inWords(groups.rate), single]
  }
}

export function* otherRows({ halfLoad, cost, reading, lists, starting }: Published): Generator<Row> {
  if (halfLoad) {
    const rate = Math.round(halfLoad.rate)
    yield [`p99 latency of an order at half of that load, ${rate}/s`, `${inWords(halfLoad.p99Ms, 1)} ms`, '']
  }
  if (cost) {
    const measure = 'cost of row-level security, idempotency and audit'
    yield [measure, percent(cost.share), `without: ${inWords(cost.without)}/s`]
  }
  if (reading) {
    const bare = `bare Fastify, same body: ${inWords(reading.bare)} (ratio ${two(reading.ratio)})`
    yield ['orders read by ID, per second', inWords(reading.ours), bare]
  }
  if (lists) {
    const { orders, smallOrders, worst } = lists
    const page = `${worst.list}${worst.filter && `?${worst.filter}`}, ${worst.page} page`
    const sizes = `time with ${orders.toLocaleString('en')} orders ÷ time with ${smallOrders.toLocaleString('en')}`
    yield [`slowest list page: ${sizes}`, worst.ratio.toFixed(2), page]
  }
  if (starting) {
    yield ['from `npm start` to ready, on existing data', `${inWords(starting.seconds, 2)} s`, '']
    yield ['memory of the idle service', `${inWords(starting.idleMb)} MB`, '']
  }
}

const two = (value: Spread) => inWords(value, 2)

function percent({ median, min, max }: Spread): string {
  const show = (value: number) => `${Math.round(value * 100)} %`
  return `${show(median)} (${show(min)} to ${show(max)})`
}
