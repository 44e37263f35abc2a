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
  'a box that came back goes to the old address again': {
    file: 'src/modules/undelivered/choose.ts',
    from: `if (choice === 'sendAgain') await correctOf(tx, kits, wanted)`,
    to: '',
  },
  'a sealed box stays on a kit whose shipment is taken back': {
    file: 'src/modules/fulfilment/operator-routes.ts',
    from: 'await unbind(tx, kitId, parcel?.serials)',
    to: '',
  },
  'nothing is sent in place of a discarded sample': {
    file: 'src/modules/holds/discard.ts',
    from: 'const isReplaced = isWanted && !(await isTestingStopped(tx, kit.id))',
    to: 'const isReplaced = false',
  },
  'a kit does not say which one it replaces': {
    file: 'src/modules/kits/replace.ts',
    from: 'kitType: kit.kitType, replacementFor: kitId }',
    to: 'kitType: kit.kitType }',
  },
  'nobody is told that a kit in their hands is recalled': {
    file: 'src/modules/recalls/decision.ts',
    from: `isReplaced: has('replace'), letter: 'box' }`,
    to: `isReplaced: has('replace') }`,
  },
  'an order that a laboratory did not answer is placed once more': {
    file: 'src/modules/lab-orders/send.ts',
    from: 'if (open && !isTakenBack) return again(tx, row, open)',
    to: 'if (open && !isTakenBack) return next(system, tx, { kit, row, action: open.action, round: row.round })',
  },
}

/** A copy of this checkout with a bug in it. */
export async function brokenCheckout(name: string): Promise<BrokenCheckout> {
  const bug = bugs[name]
  if (!bug) throw new Error(`There is no bug "${name}". Write one of:\n${Object.keys(bugs).join('\n')}`)
  return checkoutWith(bug)
}
