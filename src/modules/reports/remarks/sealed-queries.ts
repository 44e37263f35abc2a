import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { NEVER, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import { keyOf, type Remark } from './rules.ts'

export const remarkHash = (keys: Keyring, remark: Remark): Buffer => keys.hash('passed_remarks.key', keyOf(remark))

export const sealedRemarks = sealedColumns<Remark>({
  table: 'passed_remarks',
  key: { id: 'text' },
  // Never was in clear.
  clear: { laboratory: NEVER, biomarker: NEVER, sentence: NEVER },
  emptied: [],
  hashes: { key_hash: { type: 'bytea', of: (remark, keys) => remarkHash(keys, remark) } },
})
