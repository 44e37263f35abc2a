import type { AsSent } from '@kitlane/lab-reader/identify/unmatched'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { NEVER, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'

/** What is sealed of a result that was not judged. */
export interface SealedUnassessed {
  /** Its name in plain letters: what comes again under it takes its place. */
  key: string
  name: string
  value: string
  unit: string
  range: string
  flag: string
  loinc: string | null
  position: string
  reason: string
  suggestions: string[]
  /** What was done about it. */
  note: string | null
  sent: AsSent | null
  /** The biomarker that a person assigned it to. */
  assigned: string | null
}

export const unassessedKeyHash = (keys: Keyring, key: string): Buffer => keys.hash('unassessed_results.key', key)

export const sealedUnassessed = sealedColumns<SealedUnassessed>({
  table: 'unassessed_results',
  key: { id: 'text' },
  clear: {
    key: 'key',
    name: 'name',
    value: 'value',
    unit: 'unit',
    range: 'range',
    flag: 'flag',
    loinc: 'loinc',
    position: 'position',
    reason: 'reason',
    suggestions: 'suggestions',
    note: 'note',
    sent: NEVER,
    assigned: NEVER,
  },
  emptied: ['key', 'name', 'value', 'unit', 'range', 'flag', 'loinc', 'position', 'reason', 'suggestions', 'note'],
  hashes: { key_hash: { type: 'bytea', of: ({ key }, keys) => unassessedKeyHash(keys, key) } },
})
