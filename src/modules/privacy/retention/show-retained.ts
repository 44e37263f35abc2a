import { AppError } from '../../../domain/errors.ts'
import { type Realm, type SystemTx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { selectRetained } from './retained-queries.ts'
import type { RetainedKind } from './rules.ts'

export interface ShownRecord {
  kind: RetainedKind
  source: string
  recordedDate: string
  /** What was recorded; of a file its bytes in base64. */
  content: unknown
}

/**
 * What is kept of a person who was erased: for an authority that may ask, or the person. The one way to it. Audited with
 * the reason. @throws CUSTOMER_NOT_FOUND if nothing is kept under the number
 */
export async function showRetained(
  tx: SystemTx,
  realm: Realm,
  { customerId, reason }: { customerId: number; reason: string },
): Promise<ShownRecord[]> {
  const records = await selectRetained(within(tx, realm), customerId)
  if (records.length === 0)
    throw new AppError('CUSTOMER_NOT_FOUND', 'There are no retained records of an erased customer with this number')
  const entry = { action: 'customer.kept_read' as const, objectType: 'customer', objectId: String(customerId) }
  await audit.recordIn(tx, [{ ...entry, details: { reason, records: records.length }, realm, actor: tx.actor }])
  return records.map(({ kind, source, recordedAt, content }) => ({
    kind,
    source,
    recordedDate: recordedAt.toISOString(),
    content: source === 'file' ? content.toString('base64') : (JSON.parse(content.toString()) as unknown),
  }))
}
