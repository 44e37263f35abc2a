import type { Kept } from '@kitlane/display/sentence'
import { NEVER, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import type { CriticalResult } from './rules.ts'

/** Somebody of the on-call list who was notified. */
export interface NotifiedContact {
  /** From 1. */
  step: number
  who: string
  at: string
}

/** What is sealed of a critical result. */
export interface SealedCritical extends Omit<CriticalResult, 'why'> {
  why: string
  /** What `why` was made of. */
  whyKept?: Kept
  told: NotifiedContact[]
  acknowledged: { who: string; readBack: string; note?: string } | null
}

/** What is sealed of a contact of the on-call list. */
export interface SealedContact {
  email: string
  name: string
}

export const sealedCriticals = sealedColumns<SealedCritical>({
  table: 'critical_results',
  key: { id: 'text' },
  clear: {
    key: NEVER,
    name: NEVER,
    value: NEVER,
    unit: NEVER,
    why: NEVER,
    whyKept: NEVER,
    told: NEVER,
    acknowledged: NEVER,
  },
  emptied: [],
})

export const sealedContacts = sealedColumns<SealedContact>({
  table: 'on_call_contacts',
  key: { position: 'integer' },
  clear: { email: NEVER, name: NEVER },
  emptied: [],
})
