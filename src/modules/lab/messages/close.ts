import { AppError } from '../../../domain/errors.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { putOnKit } from './put-on-kit.ts'
import { closeMessage, lockMessage } from './queries.ts'
import { NO_MATCH } from './queue.ts'
import { findLiveKit } from './samples.ts'
import type { MessageOutcome } from './schema.ts'

/** Puts a waiting message on the kit that a person chose. @throws MESSAGE_NOT_FOUND, KIT_NOT_FOUND, ILLEGAL_TRANSITION */
export async function assignMessage(tx: SystemTx, id: string, kitID: string): Promise<MessageOutcome> {
  const message = await lockWaitingMessage(tx, id)
  const kit = await findLiveKit(tx, kitID)
  const { format, parsed: report } = message
  const outcome = await putOnKit(tx, kit, { source: '', format, fingerprint: Buffer.alloc(0), report }, true)
  const isDone = outcome.status === 'reported' || outcome.reason === NO_MATCH
  if (isDone) await closeMessage(tx, id, { status: 'assigned', kitId: kitID })
  return outcome
}

/** Ends a message that belongs to no kit. @throws MESSAGE_NOT_FOUND */
export async function discardMessage(tx: SystemTx, id: string): Promise<void> {
  await lockWaitingMessage(tx, id)
  await closeMessage(tx, id, { status: 'discarded' })
}

async function lockWaitingMessage(tx: SystemTx, id: string) {
  const message = await lockMessage(tx, id)
  if (message?.status !== 'waiting') throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message that waits')
  return message
}
