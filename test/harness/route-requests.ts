import { routes } from '../../src/modules/index.ts'
import { addressOf, type Route, type RouteOf } from '../../src/platform/http/route.ts'
import { type Shape, shapeOf } from './generate.ts'
import type { IsolationFixtures } from './isolation-fixtures.ts'
import { kindOf } from './slots.ts'

const BEGINS = /from|start|since/i
const ENDS = /to|end|until/i
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

const depthOf = (route: Route): number => addressOf(route).split(':').length

/** Lists first: what they show is asked for by the rest. */
export const gets = routes.filter(({ method }) => method === 'GET').toSorted((a, b) => depthOf(a) - depthOf(b))

export type As = 'token' | 'admin' | 'operator'
export const asOf = ({ audience, scope }: Route): As =>
  audience === 'operator' ? 'operator' : audience === 'business' && scope !== 'account:admin' ? 'token' : 'admin'

/** `operator`: the cookie of its session. */
export function headersOf(as: As, { caller, session }: IsolationFixtures, operator: string): Record<string, string> {
  if (as === 'token') return { authorization: `Token ${caller.token}` }
  const cookie = as === 'operator' ? operator : session.cookie
  return {
    cookie,
    'sec-fetch-site': 'same-origin',
    ...(as === 'admin' && { 'kitlane-realm': session.realm ?? '' }),
  }
}

/** Requests of any route for a realm: with each field of its query by itself, and each stretch of time. */
export class RouteRequests {
  readonly #realm: IsolationFixtures
  /** What lists showed first, by the path of the list and the name of the field. */
  readonly #shown = new Map<string, string>()

  constructor(realm: IsolationFixtures) {
    this.#realm = realm
  }

  /** Learns from the answer of a list what the paths below it name. */
  learn(path: string, body: unknown): void {
    const [first] = (Array.isArray(body) ? body : ((body as { data?: unknown[] } | undefined)?.data ?? [])) as object[]
    for (const [name, value] of Object.entries(first ?? {}))
      if (typeof value === 'string' || typeof value === 'number') this.#shown.set(`${path} ${name}`, String(value))
  }

  /** The path with an object in each of its places. */
  pathOf(route: Route): string {
    const address = addressOf(route)
    return address.replace(/:(\w+)/g, (_, name: string) => {
      const above = address.slice(0, address.indexOf(`/:${name}`))
      const own = this.#objectOf(route, name)
      const shown = this.#shown.get(`${above} ${name}`) ?? this.#shown.get(`${above} id`)
      return encodeURIComponent((route.audience === 'business' ? (own ?? shown) : (shown ?? own)) ?? 'none')
    })
  }

  queriesOf(route: Route): string[] {
    if (!route.query) return ['']
    const { properties = {}, required = [] } = shapeOf(route.query)
    const values = new Map(
      Object.entries(properties).map(([name, shape]) => [name, this.#valuesOf(route, name, shape)]),
    )
    const least = Object.fromEntries(required.map((name) => [name, values.get(name)?.[0] ?? '']))
    const names = [...values.keys()]
    const stretches = names
      .filter((name) => BEGINS.test(name))
      .flatMap((begin) =>
        names
          .filter((end) => end !== begin && ENDS.test(end) && end.replace(ENDS, '') === begin.replace(BEGINS, ''))
          .map((end) => ({ [begin]: day(9), [end]: day(2) })),
      )
    const each = [...values].flatMap(([name, ofName]) => ofName.map((value) => ({ [name]: value })))
    return [{}, ...each, ...stretches].map((fields) => `${new URLSearchParams({ ...least, ...fields })}`)
  }

  #objectOf(route: Route, name: string): string | undefined {
    if (name === 'businessID') return this.#realm.realm.businessId
    if (name === 'code') return this.#realm.objects.kit[0]
    const kind = kindOf(route as RouteOf<'business'>, name)
    return kind && this.#realm.objects[kind][0]
  }

  #valuesOf(route: Route, name: string, shape: Shape): string[] {
    const own = this.#objectOf(route, name)
    if (own && name !== 'after') return [own, 'nobody']
    const shapes = [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])]
    const choices = shapes.flatMap((one) => one.enum ?? one.items?.enum ?? [])
    if (choices.length > 0) return choices.map(String)
    if (name === 'updatedSince') return [day(1), day(700)]
    if (/(from|start|since)$/i.test(name)) return [day(9)]
    if (/(to|end|until)$/i.test(name)) return [day(2)]
    if (['date', 'authored', 'collected', '_lastUpdated'].includes(name)) return [`ge${day(9)}`, `lt${day(700)}`]
    if (name === 'page') return ['1']
    if (shapes.some(({ type }) => type === 'boolean')) return ['true']
    if (shapes.some(({ type }) => type === 'integer' || type === 'number')) return ['10']
    return ['somebody']
  }
}
