import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { isCustomerHeld } from './hold-queries.ts'
import { insertRetained } from './retained-queries.ts'
import { DAY_MS, daysOf, dueBefore, type RetainedKind, retainedKinds } from './rules.ts'
import { termsIn } from './terms.ts'

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

/** Decides what stays of a person who is erased. The caller has locked out holds. */
export async function retentionPolicyOf(
  tx: Tx,
  person: { id: number; name: string; dateOfBirth: string | null; gender: string | null },
): Promise<RetentionPolicy> {
  const isHeld = await isCustomerHeld(tx, tx.realm.id, person.id)
  const terms = await termsIn(tx, tx.realm.businessId)
  // People of a sandbox are made up.
  const isNeeded = tx.realm.mode === 'live' && (isHeld || terms.laboratoryDays > 0 || terms.requisitionDays > 0)
  // Whose records they are stays with each of them, so that each ends by its own term.
  const about = { customerID: person.id, name: person.name, dateOfBirth: person.dateOfBirth, gender: person.gender }
  const records: RetainedRecords['records'] = {}
  let until = 0
  const covers: RetentionPolicy['covers'] = (kind, recordedAt) =>
    isNeeded && (isHeld || recordedAt > dueBefore(tx.now, daysOf(kind, terms)))
  return {
    isHeld,
    isNeeded,
    covers,
    async retain(kind, source, recordedAt, record) {
      if (!covers(kind, recordedAt)) return
      const content = Buffer.isBuffer(record) ? record : Buffer.from(JSON.stringify({ about, ...record }))
      const row = { id: newOpaqueId('kept'), customerId: person.id, kind, source, recordedAt }
      await insertRetained(tx, row, content)
      records[kind] = (records[kind] ?? 0) + 1
      until = Math.max(until, recordedAt.getTime() + daysOf(kind, terms) * DAY_MS)
    },
    retained: () => ({ records, isHeld, until: isHeld || until === 0 ? undefined : new Date(until) }),
  }
}

/** How many records are kept in all. */
export const countRetained = ({ records }: RetainedRecords): number =>
  retainedKinds.reduce((sum, kind) => sum + (records[kind] ?? 0), 0)
