import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { insertMessage } from './queries.ts'
import type { MessageOutcome } from './schema.ts'

export interface ReceivedMessage {
  source: string
  format: string
  /** A hash of the bytes and of the report's place in them: a message that comes twice has the same. */
  fingerprint: Buffer
  report: ParsedReport
  /** When it came, if it waited. */
  receivedAt?: Date
}

export const NO_MATCH = 'No result could be matched: say of each unassessed result which test it is, or dismiss it'
export const SEVERAL_KITS = 'Its requests have the numbers of several kits: say which one it is of'
export const NOTHING_YET =
  'The laboratory takes a result back, and the kit has no report yet: look at it again when there is one'
export const REFUSED =
  'The laboratory refuses the sample and names no result: see whether the sample is on hold, or reject it'
export const SAMPLE_REJECTED =
  'The sample of this kit was rejected: take the rejection back, so that this counts, or discard it'
export const CAME_BEFORE = 'This message came before: nothing has to be done'
export const OTHER_CONTENT =
  'Another message of this sender with the same control ID came before, and says something else: see which one counts'
export const SUPERSEDED =
  'Corrected, final or newer results stand, or the laboratory took them back: nothing has to be done'
export const WHICH_RESULT =
  'The laboratory takes a result back, and it cannot be told which one is meant: say which one'

/** Stores a message that waits for a person. */
export async function queueMessage(tx: SystemTx, message: ReceivedMessage, reason: string): Promise<MessageOutcome> {
  const { source, format, fingerprint, report: parsed } = message
  const messageID = await insertMessage(tx, {
    source,
    format,
    fingerprint,
    accession: parsed.accession,
    parsed,
    reason,
  })
  return { status: 'waiting', messageID, reason, matched: 0, unmatched: [], converted: [], critical: [] }
}
