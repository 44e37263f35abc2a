import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { ErrorDetail } from '../../domain/errors.ts'
import { parameterMeant } from '../../domain/parameter-words.ts'
import { isRecord, ownNames, unwrap } from './lenient.ts'
import { isFhir, type Route } from './route.ts'

type Queried = Pick<Route, 'audience' | 'method' | 'path' | 'query' | 'body' | 'answers'>

const fieldsOf = (schema: z.ZodType | undefined): Readonly<Record<string, unknown>> => {
  const bare = schema && unwrap(schema)
  return bare instanceof z.ZodObject ? bare.shape : {}
}

/** Whether a GET answers a list; a single record is the same whatever else is asked. */
function isList({ path, query, answers }: Queried): boolean {
  const answer = answers[200]
  const isArray = answer !== undefined && unwrap(answer) instanceof z.ZodArray
  const isPaged = 'page' in fieldsOf(query) || 'data' in fieldsOf(answer)
  return isArray || isPaged || (query !== undefined && !/:\w+$/.test(path))
}

/**
 * Whether a route refuses parameters that it does not know. Of a list, an ignored filter answers everything, and a program
 * that takes the first row takes the wrong person; of a write, a misspelled `dryRun` would do what was only to be tried.
 */
export const refusesUnknown = (route: Queried): boolean =>
  !isFhir(route) && (route.method === 'GET' ? isList(route) : route.query !== undefined)

/** A problem for each parameter that the route does not know. */
export function unknownParameters(route: Queried, sent: unknown): ErrorDetail[] {
  if (!isRecord(sent)) return []
  if (!refusesUnknown(route)) return route.method === 'GET' ? [] : trialOf(sent, CANNOT_BE_TRIED)
  const schema = route.query && unwrap(route.query)
  const named = schema instanceof z.ZodObject ? ownNames(schema)(sent) : sent
  const known = Object.keys(fieldsOf(route.query))
  return Object.keys(named)
    .filter((name) => !known.includes(name))
    .map((name) => ({ message: unknownSentence(name, known), path: shown(name), code: 'unrecognized_keys' }))
}

const CANNOT_BE_TRIED = 'This request cannot be tried: nothing was done'

/** A trial that is asked for in the body, whose unknown fields are ignored, so that it would be carried out in earnest. */
export function trialInBody(route: Queried, body: unknown): ErrorDetail[] {
  if (Array.isArray(body)) return body.flatMap((one) => trialInBody(route, one)).slice(0, 1)
  if (!isRecord(body) || 'dryRun' in fieldsOf(route.body)) return []
  const isKnown = 'dryRun' in fieldsOf(route.query)
  const message = isKnown ? 'Belongs into the address: send ?dryRun=true. Nothing was done' : CANNOT_BE_TRIED
  // An empty field of a body is absent.
  return trialOf(body, message, /^(?:false|0|null|)$/i)
}

/** The bare name, `?dryRun`, asks for a trial, too. */
function trialOf(sent: Record<string, unknown>, message: string, off = /^(?:false|0)$/i): ErrorDetail[] {
  return Object.keys(sent)
    .filter((name) => /^dry[_-]?run$/i.test(name) && !off.test(String(sent[name])))
    .map((path) => ({ message, path, code: 'unrecognized_keys' }))
}

/** The message about a parameter that a list does not know. */
export function unknownSentence(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'There is no such parameter: this list takes none'
  const near = nearestOf(name, known)
  return `There is no such parameter. ${near ? `Did you mean ${near}? ` : ''}Known: ${known.join(', ')}`
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  // `status[0]`; or a spelling of a name that is there, too, such as `Status` beside `status`.
  const letters = name.replace(/\[.*/s, '').toLowerCase()
  const same = known.find((one) => one.toLowerCase() === letters.replaceAll(/[_-]/g, ''))
  if (same) return same
  const meant = parameterMeant(letters.replaceAll(/[^a-z]/g, ''), known)
  if (meant) return meant
  const [nearest] = known
    .map((one) => ({ one, far: distanceBetween(letters, one.toLowerCase()) }))
    .filter(({ one, far }) => far <= Math.max(2, one.length / 3))
    .sort((a, b) => a.far - b.far)
  return nearest?.one
}

/** A name that is part of another is near to it: `customer` to `customerID`. */
const distanceBetween = (a: string, b: string): number =>
  Math.min(a.length, b.length) >= 4 && (a.includes(b) || b.includes(a)) ? 1 : distance(a, b)

// What a caller wrote in place of a name may be about a person.
const shown = (name: string): string => (/^[\w.[\]-]{1,64}$/.test(name) ? name : 'query')
