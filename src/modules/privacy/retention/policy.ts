import type { RetainedKind } from './rules.ts'

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
