import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { settings } from '../../businesses/service.ts'
import * as customers from '../../customers/service.ts'
import { assertDayOfResults, recordDataAdded } from '../add-data.ts'
import { insertData, insertDocument, type KeptDocument } from '../data-queries.ts'
import type { FileUpload } from '../schema.ts'
import { sealedContents } from '../sealed-queries.ts'
import type { FileContent } from './data-uri.ts'

/** @throws FEATURE_NOT_ENABLED */
export async function assertUploadsEnabled(tx: Tx): Promise<void> {
  if ((await settings(tx)).uploadsEnabled) return
  throw new AppError('FEATURE_NOT_ENABLED', 'File uploads are not enabled for this business; the operator enables them')
}

/** Writes a file to the store, for a document that is written next. */
export async function keepFile({ files }: RealmPorts, { mediaType, content }: FileContent): Promise<KeptDocument> {
  const id = newOpaqueId('doc')
  return { id, mediaType, file: await files.keep(sealedContents, [id], content) }
}

/** Refuses what `storeFile` would refuse, before a file is written in vain. @throws FEATURE_NOT_ENABLED and what that throws */
export async function assertStorable(tx: Tx, { userId, date }: FileUpload): Promise<void> {
  await assertUploadsEnabled(tx)
  assertDayOfResults(tx, date, await customers.find(tx, userId))
}

/** Stores an uploaded file; it is read after the commit. Returns the ID of the data. @throws CUSTOMER_NOT_FOUND, VALIDATION_FAILED */
export async function storeFile(tx: Tx, { userId, date, fileName }: FileUpload, kept: KeptDocument): Promise<string> {
  const customer = await customers.find(tx, userId, 'share')
  assertDayOfResults(tx, date, customer)
  const dataId = await insertData(tx, { customerId: customer.id, kind: 'file', date, payload: {} })
  await insertDocument(tx, { dataId, fileName, ...kept })
  await recordDataAdded(tx, 'file', dataId)
  return dataId
}
