import type { OperatorScope, SessionScope } from '../../../domain/scopes.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { shownEmail } from '../../customers/rules.ts'
import * as queries from './queries.ts'
import type { Found, OperatorFound } from './schema.ts'

/** As many as a person looks through at a glance. */
const MAX_RESULTS = 10

/**
 * Finds orders, kits, customers and reports by an ID, an e-mail or a name, or how it begins; only what the scopes let the
 * caller read. An ID finds the thing itself first.
 */
export async function search(tx: Tx, text: string, scopes: ReadonlySet<SessionScope>): Promise<Found[]> {
  if (text === '') return []
  const hits = [
    scopes.has('kits:read') ? await queries.selectKits(tx, text, MAX_RESULTS) : [],
    scopes.has('reports:read') ? await queries.selectReports(tx, text, MAX_RESULTS) : [],
    scopes.has('customers:read') ? await queries.selectCustomers(tx, text, MAX_RESULTS) : [],
    scopes.has('orders:read') ? await queries.selectOrders(tx, text, MAX_RESULTS) : [],
  ]
  return share(hits).map(toFound)
}

/** The same over the live realms of all businesses, for the operator's staff. */
export async function searchAll(
  tx: SystemTx,
  text: string,
  scopes: ReadonlySet<OperatorScope>,
): Promise<OperatorFound[]> {
  if (text === '') return []
  const hits = [
    await queries.selectKitsOfAll(tx, text, MAX_RESULTS),
    scopes.has('lab') ? await queries.selectCustomersOfAll(tx, text, MAX_RESULTS) : [],
    await queries.selectOrdersOfAll(tx, text, MAX_RESULTS),
  ]
  return share(hits).map((hit) => ({
    ...toFound(hit),
    kind: hit.kind,
    business: { id: hit.businessId, name: hit.businessName },
    ...(hit.kitId !== null && { kitID: hit.kitId }),
  }))
}

/** Each kind gets its part: people with many orders do not push everything else out. */
function share<AnyHit extends queries.Hit | queries.OperatorHit>(kinds: readonly AnyHit[][]): AnyHit[] {
  const full = kinds.filter((hits) => hits.length > 0)
  const part = Math.ceil(MAX_RESULTS / Math.max(1, full.length))
  const first = full.map((hits) => hits.slice(0, part))
  let room = MAX_RESULTS - first.flat().length
  return full
    .flatMap((hits, index) => {
      const more = hits.slice(part, part + Math.max(0, room))
      room -= more.length
      return [...(first[index] ?? []), ...more]
    })
    .slice(0, MAX_RESULTS)
}

const toFound = ({ kind, id, name, email, state }: queries.Hit | queries.OperatorHit): Found => ({
  kind,
  id,
  title: kind === 'customer' ? (name ?? id) : id,
  subtitle: [kind !== 'customer' && name, email && shownEmail(email), state].filter(Boolean).join(' · '),
})
