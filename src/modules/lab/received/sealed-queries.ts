import { NEVER, sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import type { ReceivedContent } from './rules.ts'

/** All results of a document as they were sent, and what they said of each value. */
export const sealedReceived = sealedColumns<ReceivedContent>({
  table: 'received_documents',
  key: { id: 'text' },
  // Never was in clear.
  clear: { observations: NEVER, message: NEVER, statements: NEVER },
  emptied: [],
  isDeflated: true,
  rowsAtOnce: 10,
})
