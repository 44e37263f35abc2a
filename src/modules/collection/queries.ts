import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { Answers } from './questions.ts'
import type { Giver } from './schema.ts'
import type { GivenTime } from './time.ts'

/** What was said of a sample. */
export interface Said extends GivenTime {
  answers: Answers
}

export const sealedCollections = sealedColumns<Said>({
  table: 'kit_collections',
  key: { kit_id: 'text' },
  clear: { collectedDate: NEVER, zone: NEVER, offset: NEVER, answers: NEVER },
  emptied: [],
})

export interface CollectionRow extends Said {
  kitId: string
  givenAt: Date
  changedAt: Date
  givenBy: Giver
}

/** What was said of the samples of kits. */
export async function selectCollections(tx: Tx, kitIds: readonly string[]): Promise<CollectionRow[]> {
  if (kitIds.length === 0) return []
  const rows = await tx.rows(sql<Omit<CollectionRow, keyof Said> & { sealed: Sealed<Said> }>`
    select c.kit_id as "kitId", c.given_at as "givenAt", c.changed_at as "changedAt", c.given_by as "givenBy",
      ${sealedCollections.of('c')} as sealed
    from kit_collections c where c.realm_id = ${tx.realm.id} and c.kit_id = any(${kitIds}) order by c.kit_id`)
  if (rows.length === 0) return []
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedCollections.open(keys, [row.kitId], sealed) }))
}

/** What was said of the samples of a person. */
export async function selectOfCustomer(tx: Tx, customerId: number): Promise<CollectionRow[]> {
  const kits = await tx.rows(
    sql<{ id: string }>`select id from kits where realm_id = ${tx.realm.id} and customer_id = ${customerId}`,
  )
  return selectCollections(
    tx,
    kits.map(({ id }) => id),
  )
}

export async function saveCollection(
  tx: Tx,
  { kitId, givenAt, changedAt, givenBy, ...said }: CollectionRow,
): Promise<void> {
  const sealed = sealedCollections.seal(await keyringOf(tx), [kitId], said)
  await tx.run(sql`
    insert into kit_collections (realm_id, kit_id, given_at, changed_at, given_by, sealed)
    values (${tx.realm.id}, ${kitId}, ${givenAt}, ${changedAt}, ${givenBy}, ${sealed}::bytea)
    on conflict (realm_id, kit_id) do update set
      changed_at = excluded.changed_at, given_by = excluded.given_by, sealed = excluded.sealed`)
}

export function deleteCollections(tx: Tx, kitIds: readonly string[]): Promise<number> {
  return tx.run(sql`delete from kit_collections where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}
