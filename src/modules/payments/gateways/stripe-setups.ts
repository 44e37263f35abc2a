import type Stripe from 'stripe'
import { AppError } from '../../../domain/errors.ts'
import type { AttachedMethod, AttachInput, CardElement, Gateway, Setup } from '../../../domain/payment-gateway.ts'
import { orUnknown } from './stripe-errors.ts'

interface SetupsOptions {
  setups: Stripe['setupIntents']
  customerOf(input: Omit<AttachInput, 'methodId'>): Promise<string>
  publishableKey: string | undefined
  /** Such as 2026-10-28.endive: Stripe.js has a release of that name. */
  apiVersion: string
}

/** Cards that people enter into Stripe's Payment Element: https://docs.stripe.com/payments/save-and-reuse */
export function stripeSetups(options: SetupsOptions): Pick<Gateway, 'startSetup' | 'findSetup'> {
  const { setups, customerOf, publishableKey, apiVersion } = options
  const script = `https://js.stripe.com/${apiVersion.split('.')[1]}/stripe.js`

  const elementOf = ({ client_secret: clientSecret }: Stripe.SetupIntent): CardElement => {
    if (!publishableKey || !clientSecret) throw notSetUp()
    return { kind: 'stripe', script, publishableKey, clientSecret }
  }

  return {
    async startSetup({ idempotencyKey, ...business }) {
      if (!publishableKey) throw notSetUp()
      const customer = await orUnknown(customerOf({ ...business, idempotencyKey }))
      const made = setups.create(
        {
          customer,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
          metadata: { business_id: business.businessId },
        },
        { idempotencyKey },
      )
      return { ref: (await orUnknown(made)).id, customerRef: customer }
    },

    async findSetup(ref): Promise<Setup> {
      const setup = await orUnknown(setups.retrieve(ref, { expand: ['payment_method'] }))
      if (setup.status === 'succeeded') return { state: 'saved', method: methodOf(setup) }
      if (setup.status === 'processing') return { state: 'processing' }
      const declineCode = setup.last_setup_error?.code
      return { state: setup.status === 'canceled' ? 'ended' : 'open', declineCode, element: elementOf(setup) }
    },
  }
}

const notSetUp = () =>
  new AppError('FEATURE_NOT_ENABLED', 'Entering cards is not set up: the operator sets STRIPE_PUBLISHABLE_KEY')

function methodOf({ customer, payment_method: method }: Stripe.SetupIntent): AttachedMethod {
  const customerRef = typeof customer === 'string' ? customer : customer?.id
  if (!customerRef || !method || typeof method === 'string' || !method.card) {
    throw new Error('the gateway saved something else than a card')
  }
  const { brand, last4, exp_month: expMonth, exp_year: expYear } = method.card
  return { customerRef, methodId: method.id, card: { brand, last4, expMonth, expYear } }
}
