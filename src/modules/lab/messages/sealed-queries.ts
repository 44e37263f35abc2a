import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { sql } from 'kysely'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import { isUrgent } from './rules.ts'

/** Null once a message was discarded, or was on a kit for so long that it stays there. */
interface Content {
  parsed: ParsedReport | null
}

export const birthHash = (keys: Keyring, dateOfBirth: string): Buffer => keys.hash('lab_messages.birth', dateOfBirth)

/** Messages belong to no realm: the operator's keys seal them, also when they name a kit. */
export const sealedMessages = sealedColumns<Content>({
  table: 'lab_messages',
  key: { id: 'text' },
  realm: null,
  clear: { parsed: `nullif($.parsed, '{}')` },
  emptied: ['parsed'],
  hashes: {
    birth_hash: {
      type: 'bytea',
      of: ({ parsed }, keys) => (parsed?.patient?.dateOfBirth ? birthHash(keys, parsed.patient.dateOfBirth) : null),
    },
  },
  derived: {
    named_kit: { type: 'text', of: ({ parsed }) => parsed?.kitId ?? null },
    is_critical: { type: 'boolean', of: ({ parsed }) => parsed !== null && isUrgent(parsed) },
  },
  isDeflated: true,
})

/** What a message loses when it ends. */
export const withoutContent = sql`
  parsed = '{}', sealed = null, birth_hash = null, named_kit = null, is_critical = null, made = null`
