import { sealedBytes } from '../../platform/sealing/sealed-bytes.ts'
import { sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { FileResult } from './schema.ts'

/** What was added about a customer. */
export const sealedData = sealedColumns<{ payload: unknown }>({
  table: 'customer_data',
  key: { id: 'text' },
  clear: { payload: 'payload' },
})

export const sealedFileNames = sealedColumns<{ fileName: string | null }>({
  table: 'documents',
  key: { id: 'text' },
  clear: { fileName: 'file_name' },
})

export const sealedContents = sealedBytes({
  table: 'documents',
  column: 'sealed_content',
  key: { id: 'text' },
  clear: 'content',
  // Up to 25 MB each.
  rowsAtOnce: 1,
})

/** How a job that reads a file has ended. */
export interface FileJobOutcome {
  result: FileResult | null
  error: { code: string; message: string } | null
}

export const sealedFileJobs = sealedColumns<FileJobOutcome>({
  table: 'file_jobs',
  key: { id: 'text' },
  clear: { result: 'result', error: 'error' },
})
