import type { Tx } from '../../../platform/database/tx.ts'
import {
  acrossRealms,
  emptyMessages,
  hasOtherKitOfBirth,
  lockMessagesNaming,
  selectAccessions,
  updateReasons,
  type WaitingMessage,
} from '../erasure-queries.ts'
import { holdsName } from './rules.ts'

const NOT_CERTAIN = 'Somebody of this name and date of birth was erased: discard it unless it is about another person'

/**
 * Empties laboratories' messages that wait and are surely about the person: by the number of a kit, or by date of birth
 * and name where nobody else who is registered was born that day. Others stay, and say why. Messages belong to no realm,
 * so that this alone works across them.
 */
export function emptyMessagesAbout(
  tx: Tx,
  { dateOfBirth, name }: { dateOfBirth: string | null; name: string },
  kitIds: readonly string[],
): Promise<{ emptied: WaitingMessage[]; remaining: number }> {
  // Laboratories' messages are about live kits: a made-up person of the sandbox is recognised by a number only.
  const person = tx.realm.mode === 'live' ? name : ''
  return acrossRealms(tx, async () => {
    const accessions = await selectAccessions(tx, kitIds)
    const messages = await lockMessagesNaming(tx, { dateOfBirth, kitIds, accessions })
    const isNumbered = ({ accession, kitId: assigned, parsed: { kitId } }: WaitingMessage) =>
      (assigned !== null && kitIds.includes(assigned)) ||
      (kitId !== undefined && kitIds.includes(kitId)) ||
      (accession !== null && accessions.includes(accession))
    const isNamed = ({ parsed: { patient } }: WaitingMessage) =>
      patient?.dateOfBirth === dateOfBirth &&
      [patient?.name, ...(patient?.otherNames ?? [])].some((one) => holdsName(one, person))
    const named = messages.filter((message) => !isNumbered(message) && isNamed(message))
    const isCertain = named.length > 0 && dateOfBirth !== null && !(await hasOtherKitOfBirth(tx, dateOfBirth, kitIds))
    const gone = [...messages.filter(isNumbered), ...(isCertain ? named : [])]
    const staying = isCertain ? [] : named
    await emptyMessages(tx, idsOf(gone))
    await updateReasons(tx, idsOf(staying), NOT_CERTAIN)
    return { emptied: gone, remaining: staying.length }
  })
}

const idsOf = (messages: readonly WaitingMessage[]) => messages.map(({ id }) => id)
