import { randomUUID } from 'node:crypto'
import { KitlaneError } from '@kitlane/client'
import { kitlane } from './kitlane.js'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** What is sold: every panel of the business. Prices here are yours; these are what Kitlane charges you. */
export async function listKits() {
  return kitlane().panels.list()
}

export async function findKit(kitType) {
  return (await listKits()).find((kit) => kit.kitType === kitType)
}

/**
 * Orders the kit of a form, once however often the form is sent: its UUID is the Idempotency-Key, and the order's externalID,
 * which finds the order later, also after the 24 hours of the key. Answers `{ placed: id }`, or what to show in the form.
 * A real shop takes the payment first.
 */
export async function placeOrder(form) {
  const text = (name) => String(form.get(name) ?? '').trim()
  const id = text('id')
  if (!UUID.test(id)) return { id: randomUUID(), problem: 'Please send the form again.' }
  if (await findOrder(id)) return { placed: id }
  const order = {
    externalID: id,
    recipient: {
      first_name: text('first_name'),
      last_name: text('last_name'),
      email: text('email'),
      address: {
        street1: text('street1'),
        street2: text('street2'),
        city: text('city'),
        state: text('state'),
        zip: text('zip'),
        country: 'US',
      },
    },
    kit_types: [{ kitType: text('kitType') }],
    // Without credits it is refused, not left unpaid.
    paymentMethod: 'credits',
  }
  try {
    await kitlane().orders.create(order, { idempotencyKey: id })
    return { placed: id }
  } catch (err) {
    if (!(err instanceof KitlaneError)) throw err
    const given = Object.fromEntries(form)
    // The key keeps this answer, since the form alone decides it: a corrected form needs another one.
    if (err.code === 'VALIDATION_FAILED')
      return { id: randomUUID(), given, problem: 'Please check your name, e-mail and address.' }
    // No credits, a declined card: for us to mend. The key keeps no such answer, so the same form tries again.
    console.error(`Order ${id}: ${err.message}`)
    if (err.status >= 400 && err.status < 500) return { id, given, problem: 'We cannot send kits now.' }
    // Whether it was placed is not known: the same form finds out.
    return { id, given, problem: 'Please try again in a minute. You will not be charged twice.' }
  }
}

/** The order of a form's UUID, which only its sender knows. */
export async function findOrder(id) {
  if (!UUID.test(id)) return undefined
  const { data } = await kitlane().orders.list({ externalID: id, size: 1 })
  return data[0]
}
