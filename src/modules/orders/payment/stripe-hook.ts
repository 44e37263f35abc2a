import type { Clock } from '../../../platform/clock.ts'
import type { Actor, Database } from '../../../platform/database/tx.ts'
import type { Hook } from '../../../platform/http/hooks.ts'
import type { StripeGateway } from '../../payments/gateways/stripe.ts'
import { selectRealmOfOpenPayment } from '../../payments/queries.ts'
import { findChargedPayment } from '../../payments/reversals/queries.ts'
import { SETTLE_JOB } from '../../payments/start.ts'
import { noteReversals, REVERSALS_JOB } from './reversals.ts'

const actor: Actor = { name: 'hook:stripe' }

// The request that made the payment is usually about to finish it.
const GRACE_MS = 5000
// charge.refunded, charge.refund.updated, charge.dispute.created, refund.failed, …
const REVERSES = /^(charge\.(refund|dispute)|refund\.)/

/**
 * Receives Stripe's events. They come twice, late and out of order: an event about an open payment only makes the job that asks
 * Stripe about it run sooner, and after one about a refund or a dispute a job asks Stripe what was given back.
 */
export function stripeHook(stripe: StripeGateway, database: Database, clock: Clock): Hook {
  return {
    path: '/hooks/stripe',
    async receive(rawBody, headers) {
      const event = stripe.readWebhook(rawBody, String(headers['stripe-signature'] ?? ''), clock.now())
      const { paymentId, ref, type, reversals: shown } = event
      if (ref && REVERSES.test(type)) {
        const payment = await database.asSystem(actor, (tx) => findChargedPayment(tx, ref))
        if (payment) {
          await database.inRealm(payment.realm, actor, async (tx) => {
            // A restricted key may not list disputes: what the signed event shows counts, until Stripe says more.
            await noteReversals(tx, payment.id, shown)
            await tx.enqueue(REVERSALS_JOB, { realm: payment.realm, paymentId: payment.id })
          })
        }
      }
      if (!paymentId) return
      await database.asSystem(actor, async (tx) => {
        const realm = await selectRealmOfOpenPayment(tx, paymentId)
        if (!realm) return
        const startAfter = new Date(tx.now.getTime() + GRACE_MS)
        await tx.enqueue(SETTLE_JOB, { realm, paymentId }, { startAfter })
      })
    },
  }
}
