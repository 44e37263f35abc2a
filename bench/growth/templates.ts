import { randomInt } from 'node:crypto'
import type { Client } from 'pg'
import { onboard } from '../../src/modules/onboarding/onboard.ts'
import { insertNextTerms, insertRealmsToIndex } from '../../src/modules/orders/search-queries.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { openDatabase } from '../../src/service/open.ts'
import { usualSettings } from '../../src/settings.ts'
import { caller } from '../../test/harness/caller.ts'
import { CORE } from '../../test/harness/orders.ts'

/** What stands in the texts of a template, for what each copy has of its own. */
export const MARKS = { name: 'Zzname', mail: 'zzmail' }

export const KINDS = ['placed', 'twoKits', 'canceled', 'delivered', 'completed'] as const
export type Kind = (typeof KINDS)[number]

export interface Template {
  kind: string
  /** The realm that holds this order and nothing else. */
  realmId: number
  /** Transactions from this one on wrote the order. */
  since: string
  /** The counters of the realm before. */
  counters: Record<string, number>
  /** Texts besides MARKS that each copy has of its own. */
  marks?: readonly string[]
  /** What copies have behind them: statements on the template's rows, which are taken back once they are read. */
  before?: readonly { text: string; values: unknown[] }[]
}

/** Has the service place one order of each kind, each in a sandbox of its own. */
export async function makeTemplates(
  kinds: readonly Kind[],
  { urls, port, admin, encryptionKey }: { urls: DatabaseUrls; port: number; admin: Client; encryptionKey: Buffer },
): Promise<Template[]> {
  const opened = await openDatabase(urls, { settings: usualSettings({ encryptionKey }) })
  const actor = { name: 'bench' }
  try {
    const templates: Template[] = []
    for (const kind of kinds) {
      const { sandbox, sandboxToken } = await opened.database.asSystem(actor, (tx) => onboard(tx, { name: kind }))
      const { rows } = await admin.query(
        'select pg_current_xact_id()::text as since, to_jsonb(c) as counters from realm_counters c where realm_id = $1',
        [sandbox.id],
      )
      await perform(kind, caller(`http://127.0.0.1:${port}`, sandboxToken))
      templates.push({ kind, realmId: sandbox.id, ...rows[0] })
    }
    await opened.database.asSystem(actor, insertRealmsToIndex)
    while (await opened.database.asSystem(actor, insertNextTerms));
    return templates
  } finally {
    await opened.close()
  }
}

async function perform(kind: Kind, business: ReturnType<typeof caller>): Promise<void> {
  const post = async (path: string, body: object, headers = {}) => {
    const answer = await business.post(path, body, headers)
    if (answer.status >= 300) throw new Error(`${kind}, ${path}: ${answer.text}`)
    return answer.body
  }
  const person = { first_name: 'Ada', last_name: MARKS.name, email: `${MARKS.mail}@example.test` }
  const address = { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' }
  const { orderId, kitIds } = await post(
    '/create-order',
    {
      recipient: { ...person, address },
      kit_types: [{ kitType: CORE, quantity: kind === 'twoKits' ? 2 : 1 }],
      externalID: `${MARKS.mail}-order`,
      paymentMethod: 'credits',
    },
    { 'idempotency-key': `${MARKS.mail}-key-${randomInt(1e9)}` },
  )
  if (kind === 'canceled') await post(`/orders/${orderId}/cancel`, {})
  const kitId = kitIds?.[0] ?? (await business.get(`/kits?orderID=${orderId}`)).body[0].kitID
  const advance = (status: string) => post(`/sandbox/kits/${kitId}/advance`, { status })
  if (kind === 'delivered') await advance('kitDelivered')
  if (kind !== 'completed') return
  await advance('kitDelivered')
  await post(`/kits/${kitId}/register`, {
    firstName: 'Ada',
    lastName: MARKS.name,
    email: `${MARKS.mail}@example.test`,
    dateOfBirth: '1985-03-10',
    sex: 'F',
  })
  await advance('reportReady')
}
