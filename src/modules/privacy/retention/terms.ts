import type { Queries, SystemTx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import { countAllRetained } from './purge-queries.ts'
import { selectAllTerms, selectRuns, selectTermsOf, type TermsRow, upsertTerms } from './queries.ts'
import { type RetainedKind, type StoredTerms, type Terms, termsOf } from './rules.ts'
import type { RetentionState } from './schema.ts'

export const termsIn = async (tx: Queries, businessId: string): Promise<Terms> =>
  termsOf(...(await selectTermsOf(tx, businessId)))

const NONE: StoredTerms = { laboratoryDays: null, requisitionDays: null, correspondenceDays: null, byAge: null }

/**
 * Changes terms: the operator's default, or those of a business. Null goes back to the next layer. They count for what was
 * recorded before as well. Audited. @throws BUSINESS_NOT_FOUND
 */
export async function changeTerms(
  tx: SystemTx,
  { business, ...change }: Partial<StoredTerms> & { business?: string | undefined },
): Promise<Terms> {
  const businessId = business === undefined ? null : (await businesses.find(tx, business)).id
  const rows = await selectTermsOf(tx, businessId ?? '')
  const before = rows.find((row) => row.businessId === businessId)
  const after: TermsRow = { ...NONE, ...before, ...change, businessId }
  await upsertTerms(tx, after)
  const entry = {
    action: 'retention.changed' as const,
    objectType: 'retention',
    objectId: businessId ?? 'default',
    details: change,
  }
  if (businessId === null) {
    await audit.recordSystem(tx, [entry])
    return termsOf(after)
  }
  const { live: realm } = await businesses.realmsOf(tx, businessId)
  await audit.recordIn(tx, [{ ...entry, realm, actor: tx.actor }])
  return termsIn(tx, businessId)
}

/** The terms that were changed, what is kept of erased people, and what the last runs found. */
export const retentionState = async (tx: SystemTx): Promise<RetentionState> => ({
  terms: await selectAllTerms(tx),
  kept: await countAllRetained(tx),
  runs: await selectRuns(tx, 30),
})

/** What is kept of a person, as the erasure answers it. */
export interface RetainedRecords {
  records: Partial<Record<RetainedKind, number>>
  /** When the last of them ends; undefined: nothing is kept, or a legal hold stands. */
  until: Date | undefined
  isHeld: boolean
}

export interface RetentionPolicy {
  /** A legal hold stands: everything is kept, also what needs no keeping. */
  isHeld: boolean
  /** Whether anything is kept at all. */
  isNeeded: boolean
  /** Whether a record of this kind and time is kept. */
  covers(kind: RetainedKind, recordedAt: Date): boolean
  /** Keeps a record sealed, or the bytes of a file, if the terms or a hold ask for it. */
  retain(kind: RetainedKind, source: string, recordedAt: Date, record: object): Promise<void>
  retained(): RetainedRecords
}
