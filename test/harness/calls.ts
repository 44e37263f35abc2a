import { accountScope } from '../../src/domain/scopes.ts'
import type { RouteOf } from '../../src/platform/http/route.ts'
import { type Hints, samples } from './generate.ts'
import type { IsolationFixtures } from './isolation-fixtures.ts'
import { type Slot, slotsOf } from './slots.ts'

/** The identifier to put into a slot: the caller's own, or the one from `foreign`. */
export type Fill = (slot: Slot) => string

/** The first object of each kind of a realm. */
export const own =
  (realm: IsolationFixtures): Fill =>
  ({ kind }) =>
    realm.objects[kind][0]

/** A request of a route. */
export interface Call {
  method: string
  path: string
  body?: unknown
  /** Sent by a signed-in browser, because the route accepts no token. */
  byAdmin: boolean
}

/** One call of a route for each shape of its body, with its slots filled. */
export function callsOf(
  route: RouteOf<'business'>,
  fill: Fill,
  query: readonly Slot[] = [],
  hints: Hints = {},
): Call[] {
  const slots = slotsOf(route)
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const slot = slots.find((one) => one.where === 'path' && one.name === name)
    return slot ? encodeURIComponent(fill(slot)) : '1'
  })
  const search = new URLSearchParams(query.map((slot): [string, string] => [slot.name, fill(slot)]))
  const bodies = route.body ? samples(route.body, hints) : [undefined]
  return bodies.map((body) => ({
    method: route.method,
    path: query.length > 0 ? `${path}?${search}` : path,
    body,
    byAdmin: route.scope === accountScope,
  }))
}
