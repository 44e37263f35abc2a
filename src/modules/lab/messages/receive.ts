import { sha256 } from '../../../platform/crypto.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import { isTestingStopped } from '../../kits/consent/withdraw.ts'
import { doubtOfMessage } from '../match.ts'
import type { ParsedReport } from '../parse/parsed.ts'
import type { ParsedMessage } from './parse.ts'
import { putOnKit } from './put-on-kit.ts'
import { type LabKit, selectLabKit, selectLabKits } from './queries.ts'
import { queueMessage } from './queue.ts'
import type { LabResults, MessageOutcome } from './schema.ts'

const SEVERAL_KITS = 'Its requests have the numbers of several kits'

/** The kit that a report names, or whose number one of its requests has; `others`: their numbers are of several kits. */
async function kitOf(tx: SystemTx, report: ParsedReport): Promise<{ kit?: LabKit; others?: true }> {
  const { kitId, accession, otherAccessions } = report
  if (kitId !== undefined || !otherAccessions) return { kit: await selectLabKit(tx, report) }
  const numbers = [accession, ...otherAccessions].map((one) => ({ accession: one }))
  const kits = (await selectLabKits(tx, numbers)).filter((kit) => kit !== undefined)
  return new Set(kits.map((kit) => kit.kitId)).size > 1 ? { others: true } : { kit: kits[0] }
}

/**
 * Receives each report of a laboratory's message: it goes to its kit, or waits in the queue if the kit is not certain. A
 * result never goes on a kit whose person has another date of birth. @throws ILLEGAL_TRANSITION
 */
export async function receiveMessage(
  tx: SystemTx,
  { source, body, message }: { source: string; body: LabResults | string; message: ParsedMessage },
): Promise<MessageOutcome[]> {
  const first = sha256(`0\n${typeof body === 'string' ? body : JSON.stringify(body)}`)
  const outcomes: MessageOutcome[] = []
  for (const [index, report] of message.reports.entries()) {
    // A message may hold thousands of reports: the whole is hashed once.
    const fingerprint = index === 0 ? first : sha256(`${index}\n${first.toString('hex')}`)
    const received = { source, format: message.format, fingerprint, report }
    const { kit, others } = await kitOf(tx, report)
    if (others) {
      outcomes.push(await queueMessage(tx, received, SEVERAL_KITS))
      continue
    }
    const doubt = kit
      ? doubtOfMessage(kit, report, {
          isStopped: await isTestingStopped(within(tx, kit.realm), kit.kitId),
          now: tx.now,
        })
      : 'No kit has this number'
    if (kit && !doubt) outcomes.push((await putOnKit(tx, kit, received)).outcome)
    else outcomes.push(await queueMessage(tx, received, doubt ?? ''))
  }
  return outcomes
}
