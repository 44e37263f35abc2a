import { sql } from 'kysely'
import { AppError } from '../../domain/errors.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'

/** The realm of a kit: whoever holds a box does not know its business. @throws KIT_NOT_FOUND */
export async function realmOfKit(tx: SystemTx, kitId: string): Promise<Realm> {
  const realm = await tx.maybeRow(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode
    from kits k join realms r on r.id = k.realm_id where k.id = ${kitId}`)
  if (!realm) throw new AppError('KIT_NOT_FOUND', 'There is no such kit')
  return realm
}

/** The realm of a report. @throws REPORT_NOT_FOUND, also where two realms drew the same random ID */
export async function realmOfReport(tx: SystemTx, reportId: string): Promise<Realm> {
  const [realm, other] = await tx.rows(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode
    from reports p join realms r on r.id = p.realm_id where p.id = ${reportId}`)
  if (!realm) throw new AppError('REPORT_NOT_FOUND', 'There is no such report')
  if (other) throw new AppError('REPORT_NOT_FOUND', 'Several businesses have a report of this ID')
  return realm
}

/** The realm of a token. @throws TOKEN_NOT_FOUND */
export async function realmOfToken(tx: SystemTx, tokenId: string): Promise<Realm> {
  const realm = await tx.maybeRow(sql<Realm>`
    select r.id, r.business_id as "businessId", r.mode
    from tokens t join realms r on r.id = t.realm_id where t.id = ${tokenId}`)
  if (!realm) throw new AppError('TOKEN_NOT_FOUND', 'There is no such token')
  return realm
}
