// Writes the figures of bench/results.json into the README, between two markers.
import { readFile, writeFile } from 'node:fs/promises'
import type { measureLists } from './suite/lists.ts'
import type { measurePlacement } from './suite/placement.ts'
import type { measureReading } from './suite/reading.ts'
import { inWords, type Spread } from './suite/spread.ts'
import type { measureStarting } from './suite/starting.ts'

type Results = Partial<Awaited<ReturnType<typeof measurePlacement>>> & {
  at: string
  machine: { cores: number; cpu: string; memoryGb: number; node: string }
  starting?: Awaited<ReturnType<typeof measureStarting>>
  reading?: Awaited<ReturnType<typeof measureReading>>
  lists?: Awaited<ReturnType<typeof measureLists>>
}

const BEGIN = '<!-- speed: written by node bench/table.ts -->'
const END = '<!-- /speed -->'

const results = JSON.parse(await readFile(new URL('./results.json', import.meta.url), 'utf8')) as Results
const readme = new URL('../README.md', import.meta.url)
const text = await readFile(readme, 'utf8')
const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
if (begin < 0 || end < begin) throw new Error(`README.md has no place for the table: ${BEGIN} … ${END}`)
await writeFile(readme, `${text.slice(0, begin + BEGIN.length)}\n${table(results)}\n${text.slice(end)}`)

function table({ at, machine, intake = [], halfLoad, cost, reading, lists, starting }: Results): string {
  const rows: [string, string, string][] = []
  for (const { businesses, groups, oneByOne, pgbench, groupsToPgbench, groupsToOneByOne } of intake) {
    const who = businesses === 1 ? 'one business' : `${businesses} businesses`
    rows.push([
      `orders placed per second over HTTP, ${who}, 64 connections`,
      inWords(groups.rate),
      `one transaction per order: ${inWords(oneByOne.rate)} (ratio ${two(groupsToOneByOne)})`,
    ])
    if (pgbench && groupsToPgbench) {
      rows.push([
        '',
        '',
        `pgbench, same writes, best of 8 and 32 clients: ${inWords(pgbench.best)} (ratio ${two(groupsToPgbench)})`,
      ])
    }
  }
  if (halfLoad)
    rows.push([
      `p99 latency of an order at half of that load, ${Math.round(halfLoad.rate)}/s`,
      `${inWords(halfLoad.p99Ms, 1)} ms`,
      '',
    ])
  if (cost)
    rows.push([
      'cost of row-level security, idempotency and audit',
      percent(cost.share),
      `without: ${inWords(cost.without)}/s`,
    ])
  if (reading) {
    rows.push([
      'orders read by ID, per second',
      inWords(reading.ours),
      `bare Fastify, same body: ${inWords(reading.bare)} (ratio ${two(reading.ratio)})`,
    ])
  }
  if (lists) {
    const { orders, smallOrders, worst } = lists
    const page = `${worst.list}${worst.filter && `?${worst.filter}`}, ${worst.page} page`
    const many = `slowest list page: time with ${orders.toLocaleString('en')} orders ÷ time with ${smallOrders.toLocaleString('en')}`
    rows.push([many, worst.ratio.toFixed(2), page])
  }
  if (starting) {
    rows.push(['from `npm start` to ready, on existing data', `${inWords(starting.seconds, 2)} s`, ''])
    rows.push(['memory of the idle service', `${inWords(starting.idleMb)} MB`, ''])
  }
  const { cores, cpu, memoryGb, node } = machine
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`)
  return [
    `Medians (lowest to highest) of runs in turns, on ${cores} cores (${cpu}) and ${memoryGb} GB that service, database and load generator share; Node ${node}, ${at.slice(0, 10)}.`,
    '',
    '| measure | Kitlane | baseline |',
    '|---|---|---|',
    ...lines,
  ].join('\n')
}

function two(value: Spread): string {
  return inWords(value, 2)
}

function percent({ median, min, max }: Spread): string {
  const show = (value: number) => `${Math.round(value * 100)} %`
  return `${show(median)} (${show(min)} to ${show(max)})`
}
