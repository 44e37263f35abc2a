import { isDeepStrictEqual } from 'node:util'
import { canariesIn, realmOf } from './canaries.ts'
import type { WorldClient } from './client.ts'
import { kitsOf, type Lived, type LivedKit } from './model.ts'
import type { Realm, Stack } from './stack.ts'

interface Event {
  id: string
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: an event as a client without types reads it
  data: any
}

/** Compares the feed with what happened, and what each endpoint received with the feed. */
export async function checkEvents(stack: Stack, client: WorldClient, lives: readonly Lived[]): Promise<string[]> {
  const wrong: string[] = []
  for (const realm of stack.realms.values()) {
    const feed = await feedOf(realm.name, client)
    const own = lives.filter((one) => one.realm === realm.name)
    wrong.push(...complete(realm.name, feed, own), ...received(realm, feed), ...changed(realm, own))
  }
  return wrong
}

async function feedOf(realm: string, client: WorldClient): Promise<Event[]> {
  const all: Event[] = []
  for (let hasMore = true; hasMore; ) {
    const after = all.at(-1)?.id
    const { body } = await client.business(realm, 'GET', `/events?size=250${after ? `&after=${after}` : ''}`)
    all.push(...body.data)
    hasMore = body.hasMore
  }
  return all
}

function complete(realm: string, feed: readonly Event[], own: readonly Lived[]): string[] {
  const wrong: string[] = []
  if (new Set(feed.map(({ id }) => id)).size !== feed.length) wrong.push(`${realm}: the feed repeats events`)
  const count = (type: string, is: (data: Event['data']) => boolean) =>
    feed.filter((event) => event.type === type && is(event.data)).length
  const expectOne = (what: string, found: number, expected: number) => {
    if (found !== expected) wrong.push(`${realm}: ${found} events ${what}, not ${expected}`)
  }
  for (const lived of own) {
    const { plan, orders, stage, reportId, versions } = lived
    for (const [row, { id, externalId }] of orders.entries()) {
      expectOne(
        `order.created of ${externalId}`,
        count('order.created', (data) => data.orderID === id),
        1,
      )
      const isCanceled = stage === 'canceled' && row === 0
      expectOne(
        `order.canceled of ${externalId}`,
        count('order.canceled', (data) => data.orderID === id),
        isCanceled ? 1 : 0,
      )
    }
    const isPublished = ['published', 'corrected', 'erased'].includes(stage)
    if (reportId)
      expectOne(
        `report.published of ${plan.name}`,
        count('report.published', (data) => data.reportID === reportId),
        isPublished ? versions : 0,
      )
    wrong.push(...kitsOf(lived).flatMap((kit) => told(realm, kit, feed)))
  }
  for (const [kitID, ofKit] of Map.groupBy(
    feed.filter(({ type }) => type === 'kit.updated'),
    ({ data }) => data.kitID,
  )) {
    const numbers = ofKit.map(({ data }) => data.sequence)
    if (numbers.some((number, index) => number !== index + 1))
      wrong.push(`${realm}: the events of ${kitID} are numbered ${numbers.join()}`)
  }
  return wrong
}

/** The last thing that was said of a kit's box and of its sample is how they are. */
function told(realm: string, { id, trouble, hold, recall }: LivedKit, feed: readonly Event[]): string[] {
  const last = (type: string) => feed.findLast((event) => event.type === type && event.data.kitID === id)?.data
  const [box, sample] = [last('kit.undelivered'), last('kit.held')]
  const recalls = feed.filter((event) => event.type === 'kit.recalled' && event.data.kitID === id)
  const isRight =
    box?.outcome === trouble?.outcome &&
    box?.state === trouble?.state &&
    box?.isHere === trouble?.isHere &&
    sample?.state === hold?.state &&
    sample?.endedBy === hold?.endedBy &&
    recalls.map(({ data }) => data.done.join()).join() === (recall ? recall.done.join() : '') &&
    recalls.length === (recall ? 1 : 0)
  return isRight
    ? []
    : [`${realm}: of ${id} the feed says ${JSON.stringify({ box, sample, recalls, trouble, hold, recall })}`]
}

/** Between two attempts a body may lose an erased person's address, and nothing else. */
function changed({ name, receiver }: Realm, own: readonly Lived[]): string[] {
  const erased = own.filter(({ isErased }) => isErased).flatMap((one) => kitsOf(one).map(({ id }) => id))
  return [...receiver.changed].flatMap(([id, [before, after]]) =>
    erased.includes(before.kitID) && isDeepStrictEqual({ ...before, registeredToEmail: '' }, after)
      ? []
      : [`${name}: the body of ${id} changed between attempts`],
  )
}

/** An erased person is gone from the feed, so what was sent before may hold more. */
function received({ name, receiver }: Realm, feed: readonly Event[]): string[] {
  const wrong = receiver.breaches.map((breach) => `${name}: ${breach}`)
  const ids = new Set(feed.map(({ id }) => id))
  const missing = feed.filter(({ id }) => !receiver.accepted.has(id))
  if (missing.length > 0) wrong.push(`${name}: ${missing.length} events never arrived, such as ${missing[0]?.type}`)
  const unknown = [...receiver.accepted.keys()].filter((id) => !ids.has(id))
  if (unknown.length > 0) wrong.push(`${name}: ${unknown.length} webhooks of events that the feed does not have`)
  for (const { id, type, data } of feed) {
    const got = receiver.accepted.get(id)
    if (got && (got.type !== type || got.data.kitID !== data.kitID || got.data.orderID !== data.orderID))
      wrong.push(`${name}: the webhook ${id} says something else than the feed`)
  }
  const foreign = [...receiver.accepted.values()]
    .flatMap(({ text }) => canariesIn(text))
    .filter((word) => realmOf(word) !== name)
  if (foreign.length > 0) wrong.push(`${name}: its endpoint was told of ${foreign[0]}`)
  return wrong
}
