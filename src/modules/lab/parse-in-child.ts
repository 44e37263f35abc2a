import type { Layout } from '@kitlane/lab-reader/parse/layout'
import { type ParseInChildLimits, parseInChild as parseAlone } from '@kitlane/lab-reader/parse/parse-in-child'
import type { ParsedFile } from '@kitlane/lab-reader/parse/parsed'
import { Refusal, type ReviewReason } from '@kitlane/lab-reader/parse/refusal'
import { openGate } from '../../platform/gate.ts'
import { refusalError } from './refusal-error.ts'

const gate = openGate({ maxAtOnce: 2, maxWaitingEach: 20, maxWaiting: 60, refusal: () => new Refusal('BUSY') })

interface Limits extends Omit<ParseInChildLimits, 'enter'> {
  /** A business or a laboratory. Owners whose files wait take turns. */
  owner?: string
}

/**
 * Parses a file in a process of its own. At most 2 run at once. 20 files of one owner can wait, and owners take turns.
 * @throws Refusal as the reader does
 */
export const parseInChild = (bytes: Uint8Array, { owner = '', ...limits }: Limits = {}): Promise<ParsedFile> =>
  parseAlone(bytes, { ...limits, enter: () => gate.enter(owner) })

/** A parsed upload; it has no reports if a person must read it. */
export type ParsedUpload = Omit<ParsedFile, 'format'> & { format?: ParsedFile['format']; needsReview?: ReviewReason }

/** The same for an upload of a business. @throws FILE_NOT_READABLE, OVERLOADED */
export async function parseUpload(
  bytes: Uint8Array,
  businessId: string,
  layouts: readonly Layout[] = [],
): Promise<ParsedUpload> {
  try {
    return await parseInChild(bytes, { owner: businessId, layouts })
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    if (!err.needsReview) throw refusalError(err)
    const { needsReview, layout } = err
    return { needsReview, ...(layout && { layout }), reports: [], notes: [] }
  }
}
