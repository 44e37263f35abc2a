import { AppError } from '../../../domain/errors.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import { pagination } from '../../../platform/http/fields.ts'
import * as audit from '../../audit/service.ts'
import { countRemarks, deleteRemark, realmOfRemark, selectRemarks } from './queries.ts'
import type { PassedRemark, RemarksFilter } from './schema.ts'

/** What reviewers let pass, over all businesses. */
export async function listRemarks(tx: SystemTx, filter: RemarksFilter) {
  const rows = await selectRemarks(tx, filter)
  const data = rows.map(
    ({ passedAt, ...row }): PassedRemark => ({ ...row, passedDate: passedAt.toISOString(), mode: filter.mode }),
  )
  return { data, pagination: pagination(filter.page, filter.size, await countRemarks(tx, filter)) }
}

/** Forgets what was let pass: results wait for it again. @throws REMARK_NOT_FOUND */
export async function forgetRemark(tx: SystemTx, id: string): Promise<void> {
  const realm = await realmOfRemark(tx, id)
  if (!realm || !(await deleteRemark(within(tx, realm), id))) throw notFound()
  await audit.record(within(tx, realm), [
    { action: 'passed_remark.removed', objectType: 'passed_remark', objectId: id },
  ])
}

const notFound = () => new AppError('REMARK_NOT_FOUND', 'There is no such remark that passes')
