import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { trusted } from '@kitlane/lab-reader/standing/laboratory-time'
import { sha256 } from '../../../platform/crypto.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { type ReceivedRow, selectReceivedOfKit } from '../received/queries.ts'
import type { ReceivedMessage } from '../received/rules.ts'
import type { Registered } from './weigh.ts'

/** What laboratories sent for a kit, oldest first. */
export interface Register {
  documents: readonly Pick<ReceivedRow, 'id' | 'reportId' | 'message' | 'statements'>[]
  statements: readonly Registered[]
}

/** Reads the register of a kit, which is locked. */
export async function readRegister(tx: Tx, kitId: string): Promise<Register> {
  const documents = await selectReceivedOfKit(tx, kitId)
  const statements = documents.flatMap(({ statements }, document) =>
    (statements ?? []).map((one): Registered => ({ ...one, document })),
  )
  return { documents, statements }
}

/** How the register keeps a message. Without a name of its own the sender is whoever sent it in. */
export function messageOf(report: ParsedReport, source: string): Omit<ReceivedMessage, 'place'> {
  const { message = { part: 0, parts: 1 } } = report
  return { ...message, sender: message.sender ?? source, content: contentOf(report) }
}

/** A hash of what a report says. With a control ID its times do not count: a message that is sent again may be dated anew. */
function contentOf({
  message,
  observations,
  kitId,
  accession,
  patient,
  status,
  withdrawn,
  specimenErrors,
  specimenRefusals,
}: ParsedReport) {
  const isNamed = message?.controlID !== undefined
  const said = observations.map((one) => [
    ...[one.name, one.loinc, one.valueText, one.unit, one.rangeText, one.range, one.flag, one.status, one.said],
    ...(isNamed ? [] : [one.reportedDate, one.analyzedDate, one.sentDate]),
  ])
  const about = [kitId, accession, patient, status, withdrawn, specimenErrors, isNamed ? null : message?.sentDate]
  // Without any the hash is that of earlier versions.
  const refused = specimenRefusals ? [specimenRefusals] : []
  return sha256(JSON.stringify([about, said, ...refused])).toString('hex')
}

/**
 * Whether a message came before. `repeated`: the same again, which changes nothing. `contradicted`: another message of the
 * sender had its control ID. A message without one is known by what it says.
 */
export function knownAs(
  { documents }: Register,
  { controlID, sender, part, parts, content }: Omit<ReceivedMessage, 'place'>,
): { repeated?: Register['documents'][number]; isContradicted?: true } {
  const same = documents.filter(
    ({ message }) => message && message.sender === sender && message.controlID === controlID,
  )
  const repeated = same.find(({ message }) => message?.part === part && message.content === content)
  if (repeated) return { repeated }
  const isOther = ({ message }: Register['documents'][number]) => message?.part === part || message?.parts !== parts
  return controlID !== undefined && same.some(isOther) ? { isContradicted: true } : {}
}

/** A report without the times that lie ahead: a clock that is wrong would win forever. */
export function withTrustedTimes(report: ParsedReport, arrivedAt: Date): ParsedReport {
  const { message, observations } = report
  const trust = (text: string | undefined) => trusted(text, arrivedAt)
  return {
    ...report,
    ...(message && { message: { ...message, sentDate: trust(message.sentDate) } }),
    observations: observations.map((one) => ({
      ...one,
      reportedDate: trust(one.reportedDate),
      analyzedDate: trust(one.analyzedDate),
      sentDate: trust(one.sentDate),
    })),
  }
}
