import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import * as paymentGateway from '../../../domain/payment-gateway.ts'
import type { Database, SystemTx } from '../../../platform/database/tx.ts'
import * as simulatedQueries from './simulated-queries.ts'

interface SimulatedCard {
  brand: string
  last4: string
  declines?: string
  slowMs?: number
  losesReply?: boolean
  /** What adding it on the page comes to; without it, it is added at once. */
  adding?: 'declines' | 'confirms'
}

/** What each test card does; the names and numbers are Stripe's where Stripe has such a card. */
const simulatedCards: Record<string, SimulatedCard> = {
  pm_card_visa: { brand: 'visa', last4: '4242' },
  pm_card_confirms: { brand: 'visa', last4: '3220', adding: 'confirms' },
  pm_card_refused: { brand: 'visa', last4: '0069', adding: 'declines' },
  pm_card_declined: { brand: 'visa', last4: '0002', declines: 'card_declined' },
  pm_card_authentication_required: { brand: 'visa', last4: '3184', declines: 'authentication_required' },
  pm_card_slow: { brand: 'mastercard', last4: '3000', slowMs: 3_000 },
  pm_card_lost_reply: { brand: 'mastercard', last4: '4040', losesReply: true },
}

const cardOf = (methodId: string): SimulatedCard | undefined =>
  Object.hasOwn(simulatedCards, methodId) ? simulatedCards[methodId] : undefined

/** A test card as it is attached; undefined where there is no such card. */
export function simulatedMethod(businessId: string, methodId: string): paymentGateway.AttachedMethod | undefined {
  const card = cardOf(methodId)
  if (!card) return undefined
  const { brand, last4 } = card
  return { customerRef: `cus_sim_${businessId}`, methodId, card: { brand, last4, expMonth: 12, expYear: 2099 } }
}

type Own = <T>(work: (tx: SystemTx) => Promise<T>) => Promise<T>

/** What a bank's question is answered with. */
export const CONFIRMED = 'confirm'
export const REFUSED = 'refuse'

/** Test cards that people choose on the page where real ones are entered. */
function simulatedSetups(own: Own): Required<Pick<paymentGateway.Gateway, 'startSetup' | 'findSetup' | 'enterCard'>> {
  const found = async (tx: SystemTx, ref: string): Promise<simulatedQueries.SimulatedSetup> => {
    const setup = await simulatedQueries.selectSetup(tx, ref)
    if (!setup) throw new Error('the simulated gateway is adding no such card')
    return setup
  }
  return {
    async startSetup({ businessId, customerRef }) {
      const ref = newOpaqueId('seti_sim')
      await own((tx) => simulatedQueries.insertSetup(tx, ref, businessId))
      return { ref, customerRef: customerRef ?? `cus_sim_${businessId}` }
    },

    async findSetup(ref): Promise<paymentGateway.Setup> {
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
          return simulatedQueries.updateSetup(
            tx,
            ref,
            isConfirmed ? 'saved' : 'declined',
            isConfirmed ? methodId : null,
          )
        }
        const card = cardOf(entered)
        if (!card) throw new AppError('VALIDATION_FAILED', 'There is no such test card')
        if (card.adding === 'declines') return simulatedQueries.updateSetup(tx, ref, 'declined', null)
        return simulatedQueries.updateSetup(tx, ref, card.adding === 'confirms' ? 'confirming' : 'saved', entered)
      })
    },
  }
}

/**
 * A gateway that moves no money. It keeps its charges as another company would: in its own transactions, independent of
 * the caller's.
 */
export function simulatedGateway({ database }: { database: Database }): paymentGateway.Gateway {
  const own = <T>(work: (tx: SystemTx) => Promise<T>) => database.asSystem({ name: 'gateway:simulated' }, work)
  const found = async (ref: string): Promise<simulatedQueries.SimulatedCharge> => {
    const charge = await own((tx) => simulatedQueries.chargeOfRef(tx, ref))
    if (!charge) throw new Error('the simulated gateway has no such charge')
    return charge
  }
  /** A change of no row is right only if the change was made before. */
  const expectDone = async (
    changed: number,
    ref: string,
    isDone: (charge: simulatedQueries.SimulatedCharge) => boolean,
  ): Promise<void> => {
    if (changed === 0 && !isDone(await found(ref))) throw new Error('the simulated charge is not in a state for this')
  }

  return {
    name: 'simulated',

    async attach({ methodId, businessId }) {
      const method = simulatedMethod(businessId, methodId)
      if (!method) throw new AppError('VALIDATION_FAILED', 'There is no such payment method')
      return method
    },

    ...simulatedSetups(own),

    async charge(input) {
      const card = cardOf(input.methodId)
      if (!card) return { outcome: 'declined', code: 'resource_missing' }
      if (card.slowMs) await delay(card.slowMs)
      const made = await own((tx) => simulatedQueries.insertCharge(tx, newCharge(input, card)))
      if (made && card.losesReply) throw new paymentGateway.GatewayUnknown('reply_lost')
      if (made) return resultOf(made)
      const before = await own((tx) => simulatedQueries.chargeOfKey(tx, input.idempotencyKey))
      if (!before || !isSame(before, input)) throw new Error('the idempotency key was used for another charge')
      return resultOf(before)
    },

    async capture({ ref, amountMinor }) {
      const changed = await own((tx) => simulatedQueries.captureCharge(tx, ref, amountMinor))
      await expectDone(changed, ref, ({ captured }) => captured === amountMinor)
    },

    async release({ ref }) {
      const changed = await own((tx) => simulatedQueries.releaseCharge(tx, ref))
      await expectDone(changed, ref, ({ state }) => state === 'canceled')
    },

    async refund({ ref, amountMinor, idempotencyKey }) {
      const changed = await own((tx) => simulatedQueries.refundCharge(tx, ref, amountMinor, idempotencyKey))
      await expectDone(changed, ref, ({ refundKeys }) => refundKeys.includes(idempotencyKey))
    },

    async find(ref) {
      const { state, captured, amount } = await found(ref)
      return { state, amountMinor: captured > 0 ? captured : amount }
    },
  }
}

const currencyOf = (input: paymentGateway.ChargeInput): string => input.currency.toLowerCase()

function newCharge(input: paymentGateway.ChargeInput, card: SimulatedCard) {
  const { idempotencyKey: key, amountMinor: amount, methodId } = input
  const state = card.declines ? 'declined' : input.capture ? 'charged' : 'authorised'
  return {
    key,
    ref: newOpaqueId('pi_sim'),
    amount,
    currency: currencyOf(input),
    captured: state === 'charged' ? amount : 0,
    state,
    declineCode: card.declines ?? null,
    methodId,
  } as const
}

function isSame(charge: simulatedQueries.SimulatedCharge, input: paymentGateway.ChargeInput): boolean {
  const { amount, currency, methodId } = charge
  return amount === input.amountMinor && currency === currencyOf(input) && methodId === input.methodId
}

/** The first answer, also after a refund, as a gateway that keeps answers under a key gives it. */
function resultOf({ ref, declineCode, captured }: simulatedQueries.SimulatedCharge): paymentGateway.ChargeResult {
  if (declineCode !== null) return { outcome: 'declined', code: declineCode, ref }
  return { outcome: captured > 0 ? 'charged' : 'authorised', ref }
}
