import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { settings } from '../../businesses/service.ts'
import * as customers from '../../customers/service.ts'
import { recordDataAdded } from '../add-data.ts'
import { insertData, insertDocument } from '../data-queries.ts'
import type { FileUpload } from '../schema.ts'
import type { FileContent } from './data-uri.ts'

/** @throws FEATURE_NOT_ENABLED */
export async function assertUploadsEnabled(tx: Tx): Promise<void> {
  if ((await settings(tx)).uploadsEnabled) return
  throw new AppError('FEATURE_NOT_ENABLED', 'File uploads are not enabled for this business; the operator enables them')
}

/** Stores an uploaded file; it is read after the commit. Returns the ID of the data. @throws CUSTOMER_NOT_FOUND */
export async function storeFile(tx: Tx, { userId, date, fileName }: FileUpload, blob: FileContent): Promise<string> {
  const { id } = await customers.find(tx, userId, 'share')
  const dataId = await insertData(tx, { customerId: id, kind: 'file', date, payload: {} })
  await insertDocument(tx, { dataId, fileName, ...blob })
  await recordDataAdded(tx, 'file', dataId)
  return dataId
}
