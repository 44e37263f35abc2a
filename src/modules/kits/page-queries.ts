import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { withWords } from '../audit/words-queries.ts'
import { openData, storedText } from '../events/sealed-queries.ts'
import type { KitChange } from './timeline.ts'

interface ChangeRow extends Pick<KitChange, 'at' | 'actor'> {
  realmId: number
  id: string
  data: string
}

/** Some events tell of a change that is no step. */
interface ChangeData {
  event?: KitChange['event']
  status?: KitChange['reportStatus']
  exceptionReason?: string
}

/** The changes of a kit, in their order. */
export async function selectKitChanges(tx: Tx, kitId: string): Promise<KitChange[]> {
  return (await selectChangesOfKits(tx, [kitId])).get(kitId) ?? []
}

/** The changes of several kits, each in their order. */
export async function selectChangesOfKits(tx: Tx, kitIds: readonly string[]): Promise<Map<string, KitChange[]>> {
  const rows = await tx.rows(sql<ChangeRow & { kitId: string }>`
    select e.realm_id as "realmId", e.id, e.kit_id as "kitId", ${storedText('e')} as data, e.occurred_at as at, e.actor
    from events e where e.realm_id = ${tx.realm.id} and e.kit_id = any(${kitIds}) and e.type = 'kit.updated'
    order by e.kit_id, e.sequence`)
  const changes = (await openData(tx, rows)).flatMap(({ kitId, data, at, actor }) => {
    const { event, status = 'notStarted', exceptionReason = null } = JSON.parse(data) as ChangeData
    return event ? [{ kitId, change: { event, reportStatus: status, reason: exceptionReason, at, actor } }] : []
  })
  const byKit = Map.groupBy(changes, ({ kitId }) => kitId)
  return new Map([...byKit].map(([kitId, all]) => [kitId, all.map(({ change }) => change)]))
}

/** Why a kit was replaced. */
export async function selectReplacementReason(tx: Tx, kitId: string): Promise<string | undefined> {
  const rows = await tx.rows(sql<{ realmId: number; details: { reason?: string } }>`
    select realm_id as "realmId", details from audit_entries
    where realm_id = ${tx.realm.id} and object_type = 'kit' and object_id = ${kitId} and action = 'kit.replaced'
    order by id desc limit 1`)
  const [entry] = await withWords(tx, rows)
  return entry?.details.reason
}

/** The report made of a kit's sample. */
export async function selectReportId(tx: Tx, kitId: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ id: string }>`
    select id from reports where realm_id = ${tx.realm.id} and kit_id = ${kitId}`)
  return row?.id
}
