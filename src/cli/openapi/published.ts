import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '../../domain/errors.ts'
import { isFhir, type Route } from '../../platform/http/route.ts'
import { errorsOf } from '../../platform/http/route-errors.ts'
import { mapValues } from './json-schemas.ts'
import type { OpenApi, Operation, Section } from './open-api.ts'
import { ownRefusal, rangeRefusal, refusalName } from './refusals.ts'
import { heard } from './webhooks.ts'

type Codes = ReadonlyMap<number, readonly ErrorCode[]>

const to = (name: string) => ({ $ref: `#/components/responses/${name}` })

/**
 * Says once what any route of a kind is refused with, as its `4XX` and `5XX`. A status stays by itself where the route adds
 * codes to it: it lists all of them and has examples of those. Said of each route, they took 90 kB.
 */
export function asPublished(document: OpenApi, routes: readonly Route[]): OpenApi {
  const byID = new Map(routes.map((route) => [route.id, route]))
  const usual = new Set(routes.flatMap((route) => [...usualOf(route).values()].flat()))
  const responses: Section = { ...document.components.responses, Heard: heard }
  const changed = (operation: Operation): Operation => {
    const route = byID.get(operation.operationId)
    if (!route) return operation
    const [ofRange, inFhir] = [usualOf(route), isFhir(route)]
    const own = new Map(
      [...errorsOf(route)].filter(([status, codes]) => !isDeepStrictEqual(codes, ofRange.get(status))),
    )
    for (const [status, codes] of own) {
      const added = codes.filter((code) => !usual.has(code))
      responses[refusalName(status, codes, inFhir)] = ownRefusal(codes, added.length > 0 ? added : codes, inFhir)
    }
    const ownResponses = Object.entries(operation.responses).filter(
      ([status]) => status in route.answers || own.has(Number(status)),
    )
    const ranges = (['4XX', '5XX'] as const).map((range) => {
      const codes: Codes = new Map([...ofRange].filter(([status]) => String(status)[0] === range[0]))
      const name = rangeName(route, range)
      responses[name] = rangeRefusal(codes, inFhir)
      return [range, to(name)]
    })
    return {
      ...operation,
      // `security` names it, too.
      description: operation.description.replace(/\n\nScope: .*$/, ''),
      responses: Object.fromEntries([...ownResponses, ...ranges]),
    }
  }
  const withHeard = (event: { post: object }) => ({ post: { ...event.post, responses: { '2XX': to('Heard') } } })
  return {
    ...document,
    paths: mapValues(document.paths, (path) => mapValues(path, changed)),
    ...(document.webhooks && { webhooks: mapValues(document.webhooks as Record<string, { post: object }>, withHeard) }),
    components: { ...document.components, responses },
  }
}

/** What all routes of the same audience that read, or that write, are refused with. */
const usualOf = (route: Route): Codes => errorsOf({ audience: route.audience, method: route.method })

function rangeName(route: Route, range: '4XX' | '5XX'): string {
  const fhir = isFhir(route) ? ['Fhir'] : []
  if (range === '5XX') return [...fhir, 'Failed'].join('.')
  const { audience, method } = route
  const who = audience === 'business' ? [] : [audience]
  return [...fhir, 'Refused', ...who, method === 'GET' ? 'read' : 'write'].join('.')
}
