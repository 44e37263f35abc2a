import { Webhook, WebhookError } from '@kitlane/client'

// Enough for the events that come twice soon after each other. A shop with a database keeps the IDs there.
const MOST_SEEN = 10_000
const seen = new Set()

/** Answers a webhook of Kitlane, and hands each event over once. `onEvent` is quick: the work is done after the answer. */
export async function receive(request, onEvent) {
  const webhook = new Webhook((process.env.KITLANE_WEBHOOK_SECRET ?? '').split(' '))
  try {
    const event = await webhook.verify(await request.text(), request.headers)
    if (!seen.has(event.id)) {
      await onEvent(event)
      seen.add(event.id)
      if (seen.size > MOST_SEEN) seen.delete(seen.values().next().value)
    }
    return new Response(null, { status: 204 })
  } catch (err) {
    if (err instanceof WebhookError) return new Response(err.reason, { status: 400 })
    throw err
  }
}

/** What the shop does with an event: here one line, where yours sends a message to the customer. */
export function tell(event) {
  if (event.type !== 'kit.updated') return undefined
  return `Order ${event.data.externalID}: the kit is ${event.data.kitStatus}`
}
