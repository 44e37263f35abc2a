import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Database, Realm } from '../../../platform/database/tx.ts'
import type { Hook } from '../../../platform/http/hooks.ts'
import type { StripeGateway } from '../../payments/gateways/stripe.ts'
import { SETTLE_JOB } from './start.ts'

// The request that made the payment is usually just finishing it.
const GRACE_MS = 5000

/**
 * Hears from Stripe. Its events come twice, late and out of order, so none is believed: one about a payment that is still
 * open only hurries the look at how that payment stands.
 */
export function stripeHook(stripe: StripeGateway, database: Database, clock: Clock): Hook {
  return {
    path: '/hooks/stripe',
    async receive(rawBody, headers) {
      const { paymentId } = stripe.readWebhook(rawBody, String(headers['stripe-signature'] ?? ''), clock.now())
      if (!paymentId) return
      await database.asSystem({ name: 'hook:stripe' }, async (tx) => {
        const open = await tx.maybeRow(sql<{ realm: Realm }>`
          select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
          from payments p join realms r on r.id = p.realm_id
          where p.id = ${paymentId} and p.state = 'requested' and r.mode = 'live'`)
        if (!open) return
        const startAfter = new Date(tx.now.getTime() + GRACE_MS)
        await tx.enqueue(SETTLE_JOB, { realm: open.realm, paymentId }, { startAfter })
      })
    },
  }
}
