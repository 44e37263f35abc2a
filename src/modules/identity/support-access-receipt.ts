import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type AuditRow, selectEntriesOfMarked } from '../audit/queries.ts'
import { selectMembers } from './member-queries.ts'
import { type SupportAccessRow, selectSupportAccesses } from './support-access-queries.ts'
import { stateOf } from './support-access-rules.ts'
import { endsWithAccess, type Outcome, type Undo, undoOf } from './support-access-undo.ts'
import { selectTokensMadeIn } from './token-queries.ts'

const Details = z.object({
  before: z.record(z.string(), z.unknown()).optional().catch(undefined),
  changed: z.array(z.string()).optional().catch(undefined),
})

// An access lasts eight hours at most; what is beyond this is read in the audit.
const MOST = 1000

export interface ReceiptEntry {
  entry: AuditRow
  outcome: Outcome
  undo: Undo | undefined
  before: Record<string, unknown> | undefined
  changed: string[] | undefined
}

export interface Receipt {
  access: SupportAccessRow
  entries: ReceiptEntry[]
  isComplete: boolean
}

/**
 * What was made and changed in a support access of a business, by the person who had it and with tokens made in it, and
 * what became of it. Reading is in the audit. @throws SUPPORT_ACCESS_NOT_FOUND
 */
export async function receiptOf(tx: SystemTx, businessId: string, id: string): Promise<Receipt> {
  const [access] = (await selectSupportAccesses(tx, { id, businessIds: [businessId] }, { page: 0, size: 1 })).rows
  if (!access) throw new AppError('SUPPORT_ACCESS_NOT_FOUND', 'There is no such support access')
  const isOver = stateOf(access, tx.now) !== 'active'
  const tokens = await selectTokensMadeIn(tx, id)
  const members = await selectMembers(tx, businessId)
  const going = new Map<string, 'kept' | 'ends'>([
    ...tokens.filter((one) => one.isValid).map((one) => [one.id, 'ends'] as const),
    ...members.map((one) => [one.id, one.supportAccessId === null ? 'kept' : 'ends'] as const),
  ])
  const span = { from: access.startedAt ?? access.requestedAt, to: access.endedAt ?? tx.now, limit: MOST + 1 }
  const mark = { action: 'support_access.used', objectId: id }
  const actors = tokens.map((one) => `token:${one.id}`)
  const rows = await selectEntriesOfMarked(tx, { businessId, mark, actors }, span)
  const entries = rows.slice(0, MOST).map((entry) => {
    const outcome = outcomeOf(entry, { isOver, going })
    const { before, changed } = Details.parse(entry.details ?? {})
    return { entry, outcome, undo: undoOf(entry, outcome), before, changed }
  })
  return { access, entries, isComplete: rows.length <= MOST }
}

/** `going`: the tokens and users that are still valid; those that nobody kept end with the access. */
function outcomeOf(
  { action, objectId }: AuditRow,
  { isOver, going }: { isOver: boolean; going: ReadonlyMap<string, 'kept' | 'ends'> },
): Outcome {
  if (!endsWithAccess(action)) return 'stays'
  const now = going.get(objectId)
  if (now === 'kept') return 'stays'
  return now === 'ends' && !isOver ? 'ends' : 'ended'
}
