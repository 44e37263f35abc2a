import { AppError } from '../../domain/errors.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { selectRealmsOfReport } from './locate-queries.ts'

/** The realm of a report. @throws REPORT_NOT_FOUND, also where two realms drew the same random ID */
export async function realmOfReport(tx: SystemTx, reportId: string): Promise<Realm> {
  const [realm, other] = await selectRealmsOfReport(tx, reportId)
  if (!realm) throw new AppError('REPORT_NOT_FOUND', 'There is no such report')
  if (other) throw new AppError('REPORT_NOT_FOUND', 'Several businesses have a report of this ID')
  return realm
}

/** The same for what the operator does and not only reads: nothing in a sandbox. @throws REPORT_NOT_FOUND */
export async function liveRealmOfReport(tx: SystemTx, reportId: string): Promise<Realm> {
  const realm = await realmOfReport(tx, reportId)
  if (realm.mode !== 'live') throw new AppError('REPORT_NOT_FOUND', 'There is no such report')
  return realm
}
