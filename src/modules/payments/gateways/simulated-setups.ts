import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Gateway, Setup } from '../../../domain/payment-gateway.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { cardOf, simulatedMethod } from './simulated-cards.ts'
import { insertSetup, type SimulatedSetup, selectSetup, updateSetup } from './simulated-setup-queries.ts'

type Own = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

/** What a bank's question is answered with. */
export const CONFIRMED = 'confirm'
export const REFUSED = 'refuse'

/** Test cards that people choose on the page where real ones are entered. */
export function simulatedSetups(own: Own): Required<Pick<Gateway, 'startSetup' | 'findSetup' | 'enterCard'>> {
  const found = async (tx: SystemTx, ref: string): Promise<SimulatedSetup> => {
    const setup = await selectSetup(tx, ref)
    if (!setup) throw new Error('the simulated gateway is adding no such card')
    return setup
  }
  return {
    async startSetup({ businessId, customerRef }) {
      const ref = newOpaqueId('seti_sim')
      await own((tx) => insertSetup(tx, ref, businessId))
      return { ref, customerRef: customerRef ?? `cus_sim_${businessId}` }
    },

    async findSetup(ref): Promise<Setup> {
      const { state, methodId, businessId } = await own((tx) => found(tx, ref))
      const element = { kind: 'simulated' } as const
      if (state === 'declined') return { state: 'open', declineCode: 'card_declined', element }
      if (state !== 'saved') return { state, element }
      const method = methodId === null ? undefined : simulatedMethod(businessId, methodId)
      if (!method) throw new Error('the simulated gateway saved no card')
      return { state, method }
    },

    async enterCard(ref, entered) {
      await own(async (tx) => {
        const { state, methodId } = await found(tx, ref)
        if (state === 'saved') return
        if (state === 'confirming') {
          const isConfirmed = entered === CONFIRMED
          return updateSetup(tx, ref, isConfirmed ? 'saved' : 'declined', isConfirmed ? methodId : null)
        }
        const card = cardOf(entered)
        if (!card) throw new AppError('VALIDATION_FAILED', 'There is no such test card')
        if (card.adding === 'declines') return updateSetup(tx, ref, 'declined', null)
        return updateSetup(tx, ref, card.adding === 'confirms' ? 'confirming' : 'saved', entered)
      })
    },
  }
}
