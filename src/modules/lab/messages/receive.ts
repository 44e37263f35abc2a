import { sha256 } from '../../../platform/crypto.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import { isTestingStopped } from '../../kits/consent/withdraw.ts'
import { doubtOfMessage } from '../match.ts'
import type { ParsedMessage } from './parse.ts'
import { putOnKit } from './put-on-kit.ts'
import { selectLabKit } from './queries.ts'
import { queueMessage } from './queue.ts'
import type { LabResults, MessageOutcome } from './schema.ts'

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
    const kit = await selectLabKit(tx, report)
    const doubt = kit
      ? doubtOfMessage(kit, report, {
          isStopped: await isTestingStopped(within(tx, kit.realm), kit.kitId),
          now: tx.now,
        })
      : 'No kit has this number'
    outcomes.push(kit && !doubt ? await putOnKit(tx, kit, received) : await queueMessage(tx, received, doubt ?? ''))
  }
  return outcomes
}
