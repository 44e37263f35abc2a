import type { Erased, PersonToErase } from '../../modules/define-module.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { selectPlansFor, updatePlan } from './queries.ts'
import { endPlan } from './service.ts'

/**
 * Ends the plans that send kits to a person, and empties them: those for their e-mail address, and those for their name that
 * made an order of one of their kits.
 */
export async function erasePlans(tx: Tx, { email, name, externalId, kitOrderIds }: PersonToErase): Promise<Erased> {
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
  return {
    counts: { plans: theirs.length },
    records: theirs.map(({ recipient }) => ({ ...recipient })),
    underHold: theirs.map(({ id, recipient, createdAt }) => ({
      source: 'plan',
      recordedAt: createdAt,
      record: { plan: id, recipient },
    })),
  }
}

const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
