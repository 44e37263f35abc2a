import { differencesOf, identityOf } from '@kitlane/lab-reader/parse/person'
import { AppError } from '../../../domain/errors.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { personOf } from './difference.ts'
import { lockMessage } from './queries.ts'
import { findLiveKit } from './samples.ts'

/** The person whom a message that waits names, beside the one who registered a kit. @throws MESSAGE_NOT_FOUND, KIT_NOT_FOUND */
export async function comparePeople(tx: SystemTx, id: string, kitID: string) {
  const message = await lockMessage(tx, id)
  if (message?.status !== 'waiting') throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message that waits')
  const person = personOf(await findLiveKit(tx, kitID))
  const { patient } = message.parsed
  return {
    kitID,
    ...(patient && { patient: identityOf(patient) }),
    ...(person && { person }),
    differences: differencesOf(patient, person),
  }
}
