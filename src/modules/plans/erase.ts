import type { Tx } from '../../platform/database/tx.ts'
import { type PlanRow, selectPlansFor, updatePlan } from './queries.ts'
import { endPlan } from './service.ts'

interface Person {
  email: string
  name: string
  externalId: string | null
}

/**
 * Ends the plans that send kits to a person, and empties them: those for their e-mail address, and those for their name that
 * made an order of one of their kits. Returns what they held.
 */
export async function erasePlans(
  tx: Tx,
  { email, name, externalId }: Person,
  kitOrderIds: readonly string[],
): Promise<PlanRow[]> {
  const found = await selectPlansFor(tx, email, kitOrderIds, 'update')
  const theirs = found.filter(
    ({ recipient }) =>
      recipient !== null &&
      (isSame(recipient.email, email) || isSame(`${recipient.firstName} ${recipient.lastName}`, name)),
  )
  for (const plan of theirs) {
    // The business's own number of a plan stays, unless it is the person's.
    const ownId = plan.externalId === externalId ? null : plan.externalId
    const emptied = { ...plan, recipient: null, externalId: ownId }
    if (plan.status === 'ended') await updatePlan(tx, emptied)
    else await endPlan(tx, emptied, 'erased')
  }
  return theirs
}

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
