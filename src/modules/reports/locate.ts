import { AppError } from '../../domain/errors.ts'
import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { selectRealmsOfReport } from './locate-queries.ts'

/** The realm of a report; `isLive`: of a live one, as for all that the operator does. @throws REPORT_NOT_FOUND, also where two realms drew the same random ID */
export async function realmOfReport(tx: SystemTx, reportId: string, { isLive = false } = {}): Promise<Realm> {
  const [realm, other] = await selectRealmsOfReport(tx, reportId)
  if (other) throw new AppError('REPORT_NOT_FOUND', 'Several businesses have a report of this ID')
  if (!realm || (isLive && realm.mode !== 'live')) throw new AppError('REPORT_NOT_FOUND', 'There is no such report')
  return realm
}
