import { type BrokenCheckout, checkoutWith, type Mistake } from '../broken-checkout.ts'

/** Mistakes that somebody could make, each in one line of the service. A world must find every one of them. */
const bugs: Record<string, Mistake> = {
  'the credits of a canceled order are not given back': {
    file: 'src/modules/orders/cancel.ts',
    from: `if (paymentMethod === 'credits') await credits.refund(tx, id)`,
    to: '',
  },
  'the mail to the person tested goes to the recipient': {
    file: 'src/modules/kits/emails.ts',
    from: 'to: registeredEmail, language, ...known',
    to: 'to: recipientEmail ?? registeredEmail, language, ...known',
  },
  'a webhook that failed counts as delivered': {
    file: 'src/modules/webhooks/delivery/outcome.ts',
    from: 'await writeAttempts(tx, lease, attempts)',
    to: 'await writeAttempts(tx, lease, attempts.map((one) => ({ ...one, delivered: true })))',
  },
}

/** A copy of this checkout with a bug in it. */
export async function brokenCheckout(name: string): Promise<BrokenCheckout> {
  const bug = bugs[name]
  if (!bug) throw new Error(`There is no bug "${name}". Write one of:\n${Object.keys(bugs).join('\n')}`)
  return checkoutWith(bug)
}
