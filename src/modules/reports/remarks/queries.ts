import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import {
  bytesOf,
  hexOf,
  keyringIn,
  keyringOf,
  keyringsOf,
  type Sealed,
} from '../../../platform/sealing/sealed-columns.ts'
import { keyOf, type Remark } from './rules.ts'
import type { RemarksFilter } from './schema.ts'
import { remarkHash, sealedRemarks } from './sealed-queries.ts'

/** Stores remarks that a person let pass; those that passed before stay as they are. Returns how many are new. */
export async function insertRemarks(tx: Tx, customerId: number, remarks: readonly Remark[]): Promise<number> {
  if (remarks.length === 0) return 0
  const keys = await keyringOf(tx)
  const items = remarks.map((remark) => {
    const id = newOpaqueId('rem')
    return { id, sealed: sealedRemarks.seal(keys, [id], remark), ...sealedRemarks.hashes(keys, remark) }
  })
  return tx.run(sql`
    insert into passed_remarks (realm_id, id, customer_id, key_hash, sealed, passed_by, passed_at)
    select ${tx.realm.id}, i.id, ${customerId}, i.key_hash, i.sealed, ${tx.actor.name}, ${tx.now}
    from json_to_recordset(${JSON.stringify(items)}::json) as i(id text, key_hash bytea, sealed bytea)
    on conflict (realm_id, key_hash) do nothing`)
}

/** The keys of those of these remarks that passed before. */
export async function selectPassed(tx: Tx, remarks: readonly Remark[]): Promise<ReadonlySet<string>> {
  const keys = await keyringOf(tx)
  const remarkOfHash = new Map(remarks.map((remark) => [hexOf(remarkHash(keys, remark)), keyOf(remark)]))
  const rows = await tx.rows(sql<{ hash: string }>`
    select key_hash::text as hash from passed_remarks
    where realm_id = ${tx.realm.id} and key_hash = any(${[...remarkOfHash.keys()].map(bytesOf)}::bytea[])`)
  return new Set(rows.flatMap(({ hash }) => remarkOfHash.get(hash) ?? []))
}

export interface RemarkRow extends Remark {
  id: string
  passedBy: string
  passedAt: Date
  business: { id: string; name: string }
}

const ofMode = (mode: Realm['mode']) => sql`join realms r on r.id = p.realm_id and r.mode = ${mode}`

/** The newest first. */
export async function selectRemarks(tx: SystemTx, { mode, page, size }: RemarksFilter): Promise<RemarkRow[]> {
  const rows = await tx.rows(sql<Omit<RemarkRow, keyof Remark> & { realmId: number; sealed: Sealed<Remark> }>`
    select p.realm_id as "realmId", p.id, p.passed_by as "passedBy", p.passed_at as "passedAt",
      jsonb_build_object('id', b.id, 'name', b.name) as business, ${sealedRemarks.of('p')} as sealed
    from passed_remarks p ${ofMode(mode)} join businesses b on b.id = r.business_id
    order by p.passed_at desc, p.id limit ${size} offset ${page * size}`)
  const keyrings = await keyringsOf(tx, rows)
  return rows.map(({ realmId, sealed, ...row }) => ({
    ...row,
    ...sealedRemarks.open(keyringIn(keyrings, realmId), [row.id], sealed),
  }))
}

export async function countRemarks(tx: SystemTx, { mode }: RemarksFilter): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from passed_remarks p ${ofMode(mode)}`)
  return count
}

export async function realmOfRemark(tx: SystemTx, id: string): Promise<Realm | undefined> {
  const row = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from passed_remarks p join realms r on r.id = p.realm_id where p.id = ${id}`)
  return row?.realm
}

/** False if it does not exist. */
export async function deleteRemark(tx: Tx, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from passed_remarks where realm_id = ${tx.realm.id} and id = ${id}`)) === 1
}
