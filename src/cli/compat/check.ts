import { distance } from 'fastest-levenshtein'
import { type Document, follow, JSON_TYPE, type Listed, listOperations } from '../../docs/reference/document.ts'
import { type Shape, shapeOf } from '../../docs/reference/fields.ts'
import { toOwnNames } from '../../platform/http/lenient.ts'
import { unknownSentence } from '../../platform/http/unknown-parameters.ts'
import { isEmptySelection } from '../../platform/http/validate.ts'
import type { Recorded, Unread } from './recorded.ts'
import { type Problem, schemaChecks } from './schemas.ts'
import { type Endpoint, translated, type Vendor } from './vendors.ts'

/** What would become of one recorded request. No value that was sent is in it. */
export interface Verdict {
  method: string
  /** The route's own path where there is one. */
  path: string
  isTaken: boolean
  /** Of a refusal. */
  code?: 'ROUTE_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'VALIDATION_FAILED' | 'NOT_READ' | 'NOT_KNOWN' | 'NOTHING_ALIKE'
  problems: Problem[]
  /** Fields and parameters that no route knows: they are ignored. */
  ignored: string[]
  /** What does the same here as a request to a vendor. */
  here?: string
  /** What the caller may have meant. */
  hint?: string
  isDeprecated: boolean
}

const BASE = '/api/v1'

/** Of a request that the recording does not hold as one. */
export const unreadVerdict = ({ problem }: Unread): Verdict => ({
  method: '',
  path: '',
  isTaken: false,
  code: 'NOT_READ',
  ignored: [],
  isDeprecated: false,
  problems: [{ field: '', message: problem }],
})

/** The endpoint of a vendor that a request was sent to: of several that fit, the one with fewest parameters. */
const endpointOf = ({ endpoints }: Vendor, { method, path }: Recorded): Endpoint | undefined =>
  endpoints
    .filter(({ theirs }) => {
      const [verb = '', pattern = ''] = theirs.split(' ')
      return verb === method && new RegExp(`${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(path)
    })
    .sort((a, b) => a.theirs.split('{').length - b.theirs.split('{').length)[0]

/** Says of requests to a vendor what does the same here. Orders are translated field by field and checked as ours. */
export const vendorChecker =
  (vendor: Vendor, check: (request: Recorded) => Verdict) =>
  (request: Recorded): Verdict => {
    const found = endpointOf(vendor, request)
    const shared = {
      method: request.method,
      path: withoutIds(request.path),
      problems: [],
      ignored: [],
      isDeprecated: false,
    }
    if (!found)
      return {
        ...shared,
        isTaken: false,
        code: 'NOT_KNOWN',
        hint: `The documentation of ${vendor.name} that was read does not name it.`,
      }
    const { theirs, ours: here, words } = found
    const path = theirs.split(' ')[1] ?? ''
    if (!here) return { ...shared, path, isTaken: false, code: 'NOTHING_ALIKE', ...(words && { hint: words }) }
    const described = { path, here, ...(words && { hint: words }) }
    if (!found.places) return { ...shared, ...described, isTaken: true }
    const { body, lost } = translated(vendor, request.body)
    const verdict = check({
      method: 'POST',
      path: here.split(' ')[1] ?? '',
      query: {},
      body: Object.keys(body).length > 0 ? body : undefined,
    })
    // The form of an order is one of several, so that the schema demands neither.
    const missing = ['recipient', 'kit_types'].filter((name) => !(name in body))
    return {
      ...verdict,
      ...(missing.length > 0 && { isTaken: false, code: 'VALIDATION_FAILED' as const }),
      problems: [...verdict.problems, ...missing.map((field) => ({ field, message: 'is missing' }))],
      method: request.method,
      ...described,
      ignored: [...verdict.ignored, ...lost],
    }
  }

/** A path without what may be the ID or the address of somebody. */
const withoutIds = (path: string): string =>
  path
    .split('/')
    .map((part) => (/\d|@|%40/.test(part) && !/^v\d+$/i.test(part) ? '{id}' : part))
    .join('/')

/** Documents of one API as one: they call the same shape by the same name. */
export function joined([first, ...others]: readonly [Document, ...Document[]]): Document {
  const both = <T>(one: Sections<T>, other: Sections<T>): Sections<T> =>
    Object.fromEntries(Object.keys({ ...one, ...other }).map((name) => [name, { ...one[name], ...other[name] }]))
  let all = first
  for (const { paths, components } of others)
    all = { ...all, paths: both(all.paths, paths), components: both(all.components, components) }
  return all
}

type Sections<T> = Readonly<Record<string, Readonly<Record<string, T>>>>

/** Checks requests against an OpenAPI document. `base`: what their paths begin with in place of /api/v1. */
export function compatChecker(document: Document, base = BASE): (request: Recorded) => Verdict {
  const operations = listOperations(document.paths)
  const checks = schemaChecks(document)
  return (request) => {
    const path = request.path.startsWith(`${base}/`) ? BASE + request.path.slice(base.length) : request.path
    const there = operations.filter((one) => patternOf(one.path).test(path))
    // `/kits/validate` fits `/kits/{id}` too: the path with fewer parameters counts.
    const found = there
      .filter(({ method }) => method === request.method)
      .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0]
    const failed = { method: request.method, isTaken: false, problems: [], ignored: [], isDeprecated: false }
    if (!found) {
      const [other] = there
      if (other) {
        const allowed = there.map(({ method }) => method).join(', ')
        return {
          ...failed,
          path: other.path,
          code: 'METHOD_NOT_ALLOWED',
          hint: [`This path takes ${allowed}.`, near(operations, request.method, path).hint].filter(Boolean).join(' '),
        }
      }
      return {
        ...failed,
        path: withoutIds(request.path),
        code: 'ROUTE_NOT_FOUND',
        ...near(operations, request.method, path),
      }
    }
    const translatedRequest = inOwnNames(document, found, request)
    const unknown = refusedParameters(parametersOf(document, found), found, translatedRequest)
    const problems = [
      ...checks.body(found, translatedRequest.body),
      ...checks.query(found, present(translatedRequest.query)),
      ...unknown,
    ]
    return {
      method: request.method,
      path: found.path,
      isTaken: problems.length === 0,
      ...(problems.length > 0 && { code: 'VALIDATION_FAILED' as const }),
      problems,
      ignored: ignoredOf(document, found, translatedRequest).filter(
        (name) => !unknown.some(({ field }) => field === name),
      ),
      isDeprecated: found.operation.deprecated ?? false,
    }
  }
}

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.$]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)

/** An empty parameter is absent. */
const present = (query: Recorded['query']): Recorded['query'] =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/** Lists, and writes that have parameters, refuse those that they do not know. */
function refusedParameters(known: readonly string[], { method, path }: Listed, { query }: Recorded): Problem[] {
  const isList = known.includes('page') || (known.length > 0 && !path.endsWith('}'))
  if (!(method === 'GET' ? isList : known.length > 0)) return []
  return Object.entries(query).flatMap(([name, value]) => {
    if (!known.includes(name)) return [{ field: `?${name}`, message: unknownSentence(name, known) }]
    const isEmpty = method === 'GET' && isEmptySelection(name, value)
    return isEmpty ? [{ field: `?${name}`, message: 'Empty: send a value, or leave the parameter out' }] : []
  })
}

/** The route whose path has as many parts, all of them alike, if there is one: what other APIs have and this one has not is like none. */
function near(operations: readonly Listed[], method: string, path: string): { hint?: string } {
  const sent = partsOf(path)
  const [best] = operations
    .filter((one) => one.method === method && partsOf(one.path).length === sent.length)
    .map((one) => ({ one, far: Math.max(...partsOf(one.path).map((part, i) => farApart(part, sent[i] ?? ''))) }))
    .filter(({ far }) => far <= 1 / 3)
    .sort((a, b) => a.far - b.far)
  return best ? { hint: `Is ${best.one.method} ${best.one.path} meant?` } : {}
}

const partsOf = (path: string): string[] => path.replace(`${BASE}/`, '/').split('/').filter(Boolean)

/** From 0, the same, to 1. A parameter takes anything, and a word that is part of another is near to it: `order` to `create-order`. */
function farApart(part: string, sent: string): number {
  if (part.startsWith('{')) return 0
  const word = sent.replace(/s$/, '')
  if (word.length >= 4 && part.split('-').some((one) => one.replace(/s$/, '') === word)) return 0.3
  return distance(part, sent) / Math.max(part.length, sent.length)
}

const parametersOf = (document: Document, { operation }: Listed): string[] =>
  (operation.parameters ?? [])
    .map((one) => follow(document, one))
    .flatMap((one) => (one.in === 'query' ? [one.name] : []))

function bodyOf(document: Document, { operation }: Listed): Shape | undefined {
  const schema = operation.requestBody && follow(document, operation.requestBody).content?.[JSON_TYPE]?.schema
  return schema && shapeOf(document, schema)
}

/** The request with the names that the service reads in it, as the service itself renames them. */
function inOwnNames(document: Document, found: Listed, request: Recorded): Recorded {
  const shape = bodyOf(document, found)
  const query = toOwnNames(parametersOf(document, found))(request.query) as Recorded['query']
  return { ...request, query, body: shape ? renamed(request.body, shape) : request.body }
}

function renamed(value: unknown, shape: Shape): unknown {
  const fields = shape.flatMap((one) => one.fields)
  if (fields.length === 0 || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((one) => renamed(one, shape))
  const own = toOwnNames(fields.map(({ name }) => name))(value as Record<string, unknown>)
  return Object.fromEntries(
    Object.entries(own).map(([name, inner]) => [
      name,
      renamed(
        inner,
        fields.filter((one) => one.name === name).flatMap((one) => one.shape),
      ),
    ]),
  )
}

function ignoredOf(document: Document, found: Listed, { body, query }: Recorded): string[] {
  const known = parametersOf(document, found)
  const parameters = Object.keys(query).filter((name) => !known.includes(name))
  const shape = bodyOf(document, found)
  return [...parameters.map((name) => `?${name}`), ...(shape ? unknownIn(body, shape, '') : [])]
}

function unknownIn(value: unknown, shape: Shape, at: string): string[] {
  const fields = shape.flatMap((one) => one.fields)
  if (fields.length === 0 || value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => unknownIn(one, shape, `${at}[]`)))]
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = fields.filter((one) => one.name === name)
    const path = at ? `${at}.${name}` : name
    return own.length === 0
      ? [path]
      : unknownIn(
          inner,
          own.flatMap((one) => one.shape),
          path,
        )
  })
}
