import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import { insertLinks } from './queries.ts'

/** For whom a report is shared. */
export interface SharedWith {
  forWhom: string
}

export const sealedShares = sealedColumns<SharedWith>({
  table: 'report_shares',
  key: { id: 'text' },
  clear: { forWhom: NEVER },
  emptied: [],
})

export interface NewShare extends SharedWith {
  id: string
  hash: Buffer
  customerId: number
  reportId: string
  expiresAt: Date
}

export async function insertShare(tx: Tx, { id, hash, customerId, reportId, expiresAt, forWhom }: NewShare) {
  const sealed = sealedShares.seal(await keyringOf(tx), [id], { forWhom })
  await insertLinks(tx, [{ hash, customerId, expiresAt, isRenewal: false }])
  await tx.run(sql`
    insert into report_shares (realm_id, id, link_hash, customer_id, report_id, created_at, expires_at, sealed)
    values (${tx.realm.id}, ${id}, ${hash}, ${customerId}, ${reportId}, ${tx.now}, ${expiresAt}, ${sealed}::bytea)`)
}

export interface ShareRow extends SharedWith {
  id: string
  createdAt: Date
  expiresAt: Date
  /** Last; null: never. */
  openedAt: Date | null
}

/** The links to a report of a person that are kept still, newest first. */
export async function selectShares(tx: Tx, customerId: number, reportId: string): Promise<ShareRow[]> {
  const rows = await tx.rows(sql<Omit<ShareRow, 'forWhom'> & { shared: Sealed<SharedWith> }>`
    select s.id, s.created_at as "createdAt", least(s.expires_at, l.expires_at) as "expiresAt", s.opened_at as "openedAt",
           ${sealedShares.of('s')} as shared
    from report_shares s join personal_links l on l.realm_id = s.realm_id and l.hash = s.link_hash
    where s.realm_id = ${tx.realm.id} and s.customer_id = ${customerId} and s.report_id = ${reportId}
    order by s.created_at desc, s.id limit 50`)
  const keys = await keyringOf(tx)
  return rows.map(({ shared, ...row }) => ({ ...row, ...sealedShares.open(keys, [row.id], shared) }))
}

/** False if there is no such link that has not ended. */
export async function endShare(tx: Tx, customerId: number, reportId: string, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update report_shares set expires_at = ${tx.now}
    where realm_id = ${tx.realm.id} and customer_id = ${customerId} and report_id = ${reportId} and id = ${id}
      and expires_at > ${tx.now}`)
  return changed === 1
}

export async function markShareOpened(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update report_shares set opened_at = ${tx.now} where realm_id = ${tx.realm.id} and id = ${id}`)
}
