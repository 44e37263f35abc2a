import type { Tx } from '../../../platform/database/tx.ts'
import type { RealmPorts } from '../../../platform/ports/realm-ports.ts'
import { biomarkers } from '../../catalogue/service.ts'
import { deleteData, selectFile } from '../data-queries.ts'
import { identifyReports } from '../identify-in-slices.ts'
import { countingLayouts } from '../layouts/service.ts'
import { reasonForReview, withOtherNames } from '../match.ts'
import { parseUpload } from '../parse-in-child.ts'
import { settleFile } from '../register/settle-file.ts'
import { openReview } from '../review/open.ts'
import type { FileResult } from '../schema.ts'
import { sealedContents } from '../sealed-queries.ts'
import { makeReports } from './make-reports.ts'
import { takesBackEarlier } from './sample.ts'

/**
 * Reads a stored file: parses it, identifies its results, checks whose they are, then makes reports of them or opens a
 * review. `finish` runs in the same transaction.
 * @throws FILE_NOT_READABLE, OVERLOADED; Error if the data is gone
 */
export async function readUpload(
  ports: RealmPorts,
  dataId: string,
  finish?: (tx: Tx, result: FileResult) => Promise<void>,
): Promise<FileResult> {
  const { file, layouts } = await ports.open(async (tx) => ({
    file: await selectFile(tx, dataId),
    layouts: await countingLayouts(tx),
  }))
  if (!file) throw new Error(`data ${dataId} is gone`)
  const content = await ports.files.contentOf(sealedContents, [file.docId], file.content)
  const parsed = await parseUpload(content, ports.realm.businessId, layouts)
  return ports.open(async (tx) => {
    const { docId, customerId } = file
    const catalogue = await biomarkers(tx)
    const named = await withOtherNames(tx, customerId, parsed.reports)
    const identified = {
      ...parsed,
      reports: settleFile(await identifyReports(tx, { ...parsed, reports: named }, catalogue), catalogue),
    }
    const reason = parsed.needsReview ?? (await reasonForReview(tx, customerId, { ...identified, date: file.date }))
    const isClear = reason === 'unmatched' && (await takesBackEarlier(tx, customerId, parsed.reports))
    const needsReview = isClear ? undefined : reason
    const made = needsReview
      ? await openReview(tx, { ...file, content }, { ...parsed, needsReview }, catalogue)
      : await makeReports(tx, file, identified)
    const result = {
      type: 'file',
      userId: customerId,
      dataId,
      docId,
      timestamp: tx.now.toISOString(),
      ...made,
    } as const
    await finish?.(tx, result)
    return result
  })
}

/** Reads a file for a caller who waits. One that cannot be read is deleted: nobody will look at it. @throws as `readUpload` */
export async function readOrDeleteUpload(ports: RealmPorts, dataId: string): Promise<FileResult> {
  try {
    return await readUpload(ports, dataId)
  } catch (err) {
    await ports.open((tx) => deleteData(tx, dataId))
    throw err
  }
}
