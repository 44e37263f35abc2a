import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/tx.ts'
import type { Hook } from '../../../platform/http/hooks.ts'
import type { StripeGateway } from '../../payments/gateways/stripe.ts'
import { SETTLE_JOB } from '../../payments/start.ts'
import { selectRealmOfOpenPayment } from '../../payments/sweep-queries.ts'

// The request that made the payment is usually about to finish it.
const GRACE_MS = 5000

/**
 * Receives Stripe's events. They come twice, late and out of order, so none is believed: an event about an open payment only
 * makes the job that asks Stripe about it run sooner.
 */
export function stripeHook(stripe: StripeGateway, database: Database, clock: Clock): Hook {
  return {
    path: '/hooks/stripe',
    async receive(rawBody, headers) {
      const { paymentId } = stripe.readWebhook(rawBody, String(headers['stripe-signature'] ?? ''), clock.now())
      if (!paymentId) return
      await database.asSystem({ name: 'hook:stripe' }, async (tx) => {
        const realm = await selectRealmOfOpenPayment(tx, paymentId)
        if (!realm) return
        const startAfter = new Date(tx.now.getTime() + GRACE_MS)
        await tx.enqueue(SETTLE_JOB, { realm, paymentId }, { startAfter })
      })
    },
  }
}
