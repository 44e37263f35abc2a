import { sealedColumns } from '../../../platform/sealing/sealed-columns.ts'
import type { ReceivedObservation } from './rules.ts'

/** All results of a document as they were sent. */
export const sealedReceived = sealedColumns<{ observations: ReceivedObservation[] }>({
  table: 'received_documents',
  key: { id: 'text' },
  // Never was in clear.
  clear: { observations: 'nullif($.id, $.id)' },
  emptied: [],
  isDeflated: true,
  rowsAtOnce: 10,
})
