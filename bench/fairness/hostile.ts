// The hostile businesses, in a process of their own. Each sends one kind of expensive request over several connections,
// the next as soon as the last is answered, and pauses only on request.
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { aRow } from '../../test/harness/orders.ts'

export interface Hostile {
  kind: Kind
  token: string
}

export interface Attack {
  port: number
  seconds: number
  hostile: Hostile[]
  /** A report of the business that asks for documents. */
  report: string
}

/** Answers by kind and status. */
export type Answers = Record<string, Record<string, number>>

// Connections of each hostile business.
const CONNECTIONS = 4
const rows = (make: (row: number) => unknown) =>
  JSON.stringify({ bulkUploadData: Array.from({ length: 10_000 }, (_, row) => make(row)) })
const wrong = rows((row) => ({
  ...aRow({ kit_type: 1, email: 'no', quantity: 0, external_tags: 't'.repeat(400) }),
  external_id: `row-${row}`,
}))
const right = rows((row) => aRow({ external_id: `row-${row}`, external_tags: 'a,b,c' }))
const long = rows(() => aRow({ street2: 'x'.repeat(200), external_tags: 't'.repeat(500) }))
const table = `data:text/csv;base64,${Buffer.from(`a,b\n${'1,2\n'.repeat(2_200_000)}`).toString('base64')}`
const file = JSON.stringify({ type: 'file', userId: '4711', date: '2026-01-15', fileBlob: table, async: true })
const values = `{"kit_types":[${Array(500_000).fill('{}').join()}]}`

interface Sent {
  path: string
  accept?: string
  body?: string
}

const kinds = {
  'wrong rows': () => ({ path: '/create-order', body: wrong }),
  'right rows': () => ({ path: '/create-order', body: right }),
  'long rows, dry run': () => ({ path: '/create-order?dryRun=true', body: long }),
  'many values': () => ({ path: '/create-order', body: values }),
  'files of 9 MB': () => ({ path: '/customer/add-data', body: file }),
  'orders as CSV': () => ({ path: '/orders', accept: 'text/csv' }),
  'customers as JSON': () => ({ path: '/customers' }),
  'deep lists': () => ({ path: `/orders?size=250&kitStatus=delivered&page=${Math.floor(Math.random() * 30)}` }),
  'reports as PDF': (report: string) => ({ path: report, accept: 'application/pdf' }),
  'reports as FHIR': (report: string) => ({ path: report, accept: 'application/fhir+json' }),
} satisfies Record<string, (report: string) => Sent>
export type Kind = keyof typeof kinds
export const kindNames = Object.keys(kinds) as Kind[]

async function attack({ port, seconds, hostile, report }: Attack): Promise<Answers> {
  const agent = new Agent({ connections: 100, pipelining: 1, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const answers: Answers = {}
  const end = performance.now() + seconds * 1000
  const one = async ({ kind, token }: Hostile) => {
    while (performance.now() < end) {
      const { path, accept = 'application/json', body }: Sent = kinds[kind](report)
      const headers = { authorization: `Token ${token}`, accept, ...(body && { 'content-type': 'application/json' }) }
      const answered = await request(`http://127.0.0.1:${port}/api/v1${path}`, {
        dispatcher: agent,
        method: body ? 'POST' : 'GET',
        headers,
        body,
      }).then(
        async (answer) => {
          await answer.body.dump({ limit: 1e9 })
          return answer
        },
        (err: Error) => ({ statusCode: err.message, headers: {} as Record<string, string> }),
      )
      const known = answers[kind] ?? {}
      answers[kind] = known
      known[answered.statusCode] = (known[answered.statusCode] ?? 0) + 1
      const wait = Number(answered.headers['retry-after'] ?? 0)
      // A hostile caller does not wait as long as `Retry-After` says.
      if (wait > 0) await delay(100)
    }
  }
  await Promise.all(hostile.flatMap((business) => Array.from({ length: CONNECTIONS }, () => one(business))))
  await agent.close()
  return answers
}

process.on('message', async (order: Attack) => {
  const answers = await attack(order)
  process.send?.(answers, () => process.disconnect())
})
