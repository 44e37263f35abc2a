import type { WorldClient } from './client.ts'
import { kitsOf, type Lived, type LivedKit, statusesAt } from './model.ts'
import { CREDITS, type Stack } from './stack.ts'

export const SIZE = 250

/** Compares every order, kit, credit and cent with what was acknowledged. */
export async function checkOrders(stack: Stack, client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { name: realm } of stack.realms.values()) {
    const own = lives.filter((one) => one.realm === realm)
    wrong.push(...(await ordersOf(realm, client, own)))
    wrong.push(...(await checkKits(realm, client, own)))
    const spent = own
      .filter(({ plan, stage }) => plan.pay === 'credits' && stage !== 'canceled')
      .reduce((sum, { orders }) => sum + orders.reduce((n, { quantity }) => n + quantity, 0), 0)
    // A bulk order's journey cancels only its first row.
    const remaining = own
      .filter(({ plan, stage }) => plan.how === 'bulk' && stage === 'canceled')
      .reduce((sum, { orders }) => sum + orders.length - 1, 0)
    // What replaces a kit costs nothing.
    const { body } = await client.business(realm, 'GET', '/credits')
    const core = body.find(({ type }: { type: string }) => type === CORE_TYPE)
    const begun = realm.endsWith('l') ? CREDITS : 1000
    if (core?.credits !== begun - spent - remaining)
      wrong.push(`${realm}: ${core?.credits} credits, not ${begun - spent - remaining}`)
  }
  wrong.push(...(await queue(client, lives)))
  wrong.push(...cents(stack, lives))
  for (const command of ['verify-ledger', 'verify-audit']) {
    const { code, stdout, stderr } = await stack.command(command)
    if (code !== 0) wrong.push(`${command} ended with ${code}: ${stdout}${stderr}`)
  }
  return wrong
}

const CORE_TYPE = 'ED1NL4E3L'
const PRICE = 19_900

// biome-ignore lint/suspicious/noExplicitAny: answers as a client without types reads them
export async function pagesOf(read: (page: number) => Promise<any[]>): Promise<any[]> {
  const all = []
  for (let page = 0; ; page++) {
    const data = await read(page)
    all.push(...data)
    if (data.length < SIZE) return all
  }
}

async function ordersOf(realm: string, client: WorldClient, own: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  let total = -1
  const listed = await pagesOf(async (page) => {
    const { body } = await client.business(realm, 'GET', `/orders?size=${SIZE}&page=${page}`)
    total = body.pagination.total
    return body.data
  })
  if (total !== listed.length) wrong.push(`${realm}: the list of orders says ${total}, and shows ${listed.length}`)
  const expected = own.flatMap((one) => one.orders.map((order) => ({ one, order })))
  if (listed.length !== expected.length)
    wrong.push(`${realm}: ${listed.length} orders, ${expected.length} were acknowledged`)
  const byId = new Map(listed.map((order) => [order.orderID, order]))
  for (const { one, order } of expected) {
    const found = byId.get(order.id)
    const status = one.stage === 'canceled' && order === one.orders[0] ? 'canceled' : 'created'
    if (!found) wrong.push(`${realm}: the order ${order.externalId} is lost`)
    else if (found.externalID !== order.externalId || found.quantity !== order.quantity || found.status !== status)
      wrong.push(
        `${realm}: the order ${order.externalId} is ${found.externalID}, ${found.quantity} kits, ${found.status}, not ${status}`,
      )
    else if (found.recipientAddress?.street1 !== order.street1)
      wrong.push(
        `${realm}: the order ${order.externalId} goes to ${found.recipientAddress?.street1}, not ${order.street1}`,
      )
  }
  return wrong
}

/** Each kit once in the list, and the same in its CSV, with what it replaces and what replaces it. */
async function checkKits(realm: string, client: WorldClient, own: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  const listed = await pagesOf(
    async (page) => (await client.business(realm, 'GET', `/kits?size=${SIZE}&page=${page}`)).body,
  )
  const byId = new Map(listed.map((kit) => [kit.kitID, kit]))
  if (byId.size !== listed.length) wrong.push(`${realm}: the list of kits repeats some`)
  for (const lived of own) {
    for (const kit of kitsOf(lived)) {
      const shown = byId.get(kit.id)
      byId.delete(kit.id)
      if (!isAt(shown, kit)) {
        const { id, stage, replacementFor, replacedBy, customerId } = kit
        const expected = JSON.stringify({ id, stage, replacementFor, replacedBy, customerId })
        wrong.push(`${lived.plan.name}: not ${expected}, its kit is ${JSON.stringify(shown ?? null).slice(0, 400)}`)
      }
    }
  }
  if (byId.size > 0) wrong.push(`${realm}: ${byId.size} kits that nobody ordered`)
  const { text } = await client.business(realm, 'GET', '/kits', undefined, undefined, { accept: 'text/csv' })
  const lines = text.trim().split('\r\n').slice(1)
  const row = (kit: (typeof listed)[number]) =>
    [kit.kitID, kit.orderID, kit.kitType, kit.kitStatus, kit.sampleStatus, kit.status].join()
  const exported = lines.map((line) => line.split(',').slice(0, 6).join()).sort()
  if (exported.join() !== listed.map(row).sort().join())
    wrong.push(`${realm}: the CSV of kits has ${exported.length} kits, not what the list has of ${listed.length}`)
  return wrong
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as a client without types reads it
function isAt(shown: any, { stage, orderId, replacementFor, replacedBy, customerId }: LivedKit): boolean {
  const at = statusesAt(stage)
  return (
    shown?.orderID === orderId &&
    shown.kitStatus === at.kitStatus &&
    at.sampleStatus.includes(shown.sampleStatus) &&
    shown.status === at.status &&
    shown.replacementFor === replacementFor &&
    shown.replacedBy === replacedBy &&
    shown.customerID === customerId
  )
}

/** The pack queue holds the live kits that are paid and not shipped, each once. */
async function queue(client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const shown = await pagesOf(
    async (page) => (await client.operator('GET', `/fulfilment/queue?size=${SIZE}&page=${page}`)).body.data,
  )
  const found = shown.map(({ kitID }: { kitID: string }) => kitID).sort()
  const expected = lives
    .filter(({ plan }) => plan.mode === 'live')
    .flatMap(kitsOf)
    .flatMap(({ id, stage }) => (stage === 'placed' ? id : []))
    .sort()
  return found.join() === expected.join()
    ? []
    : [`the pack queue has ${found.length} kits, not these ${expected.length}`]
}

/** What the gateway took for live orders, less what it gave back. */
function cents({ stripe }: Stack, lives: readonly Lived[]): string[] {
  const captured = stripe
    .state()
    .charges.map(({ amount, refunded }) => amount - refunded)
    .filter((amount) => amount > 0)
    .sort((a, b) => a - b)
  const due = lives
    .filter(
      ({ plan, stage, isDeclined }) =>
        plan.mode === 'live' && plan.pay === 'card' && stage !== 'canceled' && !isDeclined,
    )
    .map(({ orders }) => (orders[0]?.quantity ?? 0) * PRICE)
    .sort((a, b) => a - b)
  return captured.join() === due.join()
    ? []
    : [`the gateway holds ${captured.length} charges of ${sum(captured)} cents, not ${due.length} of ${sum(due)}`]
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
