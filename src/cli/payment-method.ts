import type { Command } from 'commander'
import { z } from 'zod'
import { attachMethod, detachMethod, listMethods, toAnswer } from '../modules/payments/methods.ts'
import type { PaymentMethod } from '../modules/payments/methods-queries.ts'
import { addAdministration, addGroup, table } from './command.ts'
import { findRealm, ofBusiness, whose } from './realm.ts'
import { operator } from './session.ts'

const method = z.string().regex(/^pm_\w{1,250}$/, 'must be the ID of a payment method, which begins with pm_')

export function addPaymentMethodCommands(root: Command): void {
  const group = addGroup(root, 'payment-method', 'Say which card the orders of a business are charged to.')

  addAdministration(group, {
    name: 'attach',
    summary: 'Save a card of a business by its ID at the payment gateway. Card orders are charged to it from now on.',
    options: { ...whose, '--method <id>': 'its ID (pm_…); pm_card_visa is a test card' },
    input: z.object({ ...ofBusiness, method }),
    example: 'kitlane payment-method attach --business "Acme Clinic" --mode sandbox --method pm_card_visa',
    async run(database, { business, mode, method }, realmPorts) {
      const { found, realm } = await findRealm(database, { business, mode })
      const attached = await attachMethod(realmPorts(realm), method, found.name)
      return {
        json: { business: found, mode, method: toAnswer(attached) },
        text: `${mode === 'live' ? 'Live' : 'Sandbox'} card orders of ${found.name} are charged to ${inWords(attached)} from now on.`,
      }
    },
  })

  addAdministration(group, {
    name: 'list',
    summary: 'List the saved cards of a business. Card orders are charged to the first one.',
    options: whose,
    input: z.object(ofBusiness),
    example: 'kitlane payment-method list --business "Acme Clinic"',
    async run(database, input) {
      const { found, realm } = await findRealm(database, input)
      const methods = await database.inRealm(realm, operator, listMethods)
      const head = ['ID', 'CARD', 'EXPIRES', 'STATE']
      const rows = methods.map((method) => [
        method.id,
        `${method.brand} ${method.last4}`,
        expiry(method),
        method.isDefault ? 'attached' : 'saved',
      ])
      const none = `${found.name} has no ${input.mode} card.`
      return { json: methods.map(toAnswer), text: rows.length > 0 ? table([head, ...rows]) : none }
    },
  })

  addAdministration(group, {
    name: 'remove',
    summary: 'Remove a saved card of a business. Orders that it paid for can still be refunded.',
    options: { ...whose, '--method <id>': 'its ID (pm_…), as `kitlane payment-method list` shows it' },
    input: z.object({ ...ofBusiness, method }),
    example: 'kitlane payment-method remove --business "Acme Clinic" --method pm_1QzXk2LmN0pQrStU',
    async run(database, { business, mode, method }) {
      const { found, realm } = await findRealm(database, { business, mode })
      const { removed, left } = await database.inRealm(realm, operator, async (tx) => {
        const removed = (await listMethods(tx)).find(({ id }) => id === method)
        await detachMethod(tx, method)
        return { removed, left: await listMethods(tx) }
      })
      const more = removed?.isDefault ? ' No card is attached now: orders by card are refused.' : ''
      return {
        json: { id: method, removed: true, methods: left.map(toAnswer) },
        text: `Removed ${removed ? inWords(removed) : method} from ${found.name}.${more}`,
      }
    },
  })
}

const inWords = ({ id, brand, last4 }: PaymentMethod) => `the ${brand} card ending in ${last4} (${id})`
const expiry = ({ expMonth, expYear }: PaymentMethod) => `${expYear}-${String(expMonth).padStart(2, '0')}`
