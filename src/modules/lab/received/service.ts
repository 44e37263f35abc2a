import { AppError } from '../../../domain/errors.ts'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { findKit } from '../../kits/records.ts'
import {
  type ReceivedRow,
  realmOfReceived,
  selectReceived,
  selectReceivedOfCustomer,
  selectReceivedOfKit,
} from './queries.ts'
import type { ReceivedResults } from './schema.ts'

/** Every result of a message or file as it was sent, and what became of it. @throws RESULT_NOT_FOUND */
export async function findReceived(tx: Tx, id: string): Promise<ReceivedResults> {
  const row = await selectReceived(tx, id)
  if (!row) throw notFound()
  return answerOf(row)
}

/** Everything that was received for a person, in the order in which it came. */
export const receivedOfCustomer = async (tx: Tx, customerId: number): Promise<ReceivedResults[]> =>
  (await selectReceivedOfCustomer(tx, customerId)).map(answerOf)

function answerOf({ customerId: customerID, kitId, dataId, reportId, ...row }: ReceivedRow): ReceivedResults {
  const { receivedAt, lines: counted, observations, message, statements: _, ...rest } = row
  return {
    ...rest,
    customerID,
    ...(kitId !== null && { kitID: kitId }),
    ...(dataId !== null && { dataID: dataId }),
    ...(reportId !== null && { reportID: reportId }),
    receivedDate: receivedAt.toISOString(),
    counted,
    ...(message?.controlID && { controlID: message.controlID }),
    ...(message?.sender && { sender: message.sender }),
    ...(message?.sentDate && { sentDate: message.sentDate }),
    observations: observations.map(({ bounds: _, ...one }) => one),
  }
}

/** Everything that laboratories sent for a kit, in the order in which it came. @throws KIT_NOT_FOUND */
export async function receivedOfKit(tx: Tx, kitID: string): Promise<ReceivedResults[]> {
  await findKit(tx, kitID)
  return (await selectReceivedOfKit(tx, kitID)).map(answerOf)
}

/** The realm of a message or file, for staff of the operator, who name none. @throws RESULT_NOT_FOUND */
export async function realmOfDocument(tx: SystemTx, id: string): Promise<Realm> {
  const realm = await realmOfReceived(tx, id)
  if (!realm) throw notFound()
  return realm
}

const notFound = () => new AppError('RESULT_NOT_FOUND', 'There is no such document')
