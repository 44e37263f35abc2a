import { refuse } from '../../platform/http/validate.ts'
import { type ParameterName, parameters } from './parameters.ts'
import type { Resource, SearchParameters } from './schema.ts'

/** From the first millisecond up to the one after the last. */
interface Span {
  from: number
  before: number
}

export interface Token {
  /** Absent: any system. Empty: none. */
  system?: string
  /** Empty: any of the system. */
  value: string
}

interface Coded {
  system?: string
  value: string
}

type Fits = (resource: Resource) => boolean

const DATE = /^(eq|ge|le|gt|lt)?(\d{4}(?:-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?)?)?)$/

/** What a value of a date means: `2026` is a year, `2026-04-01T08:30Z` a minute. Undefined if it is no date. */
function spanOf(text: string): Span | undefined {
  const from = Date.parse(text)
  if (Number.isNaN(from)) return undefined
  const end = new Date(from)
  if (text.length === 4) end.setUTCFullYear(end.getUTCFullYear() + 1)
  else if (text.length === 7) end.setUTCMonth(end.getUTCMonth() + 1)
  else if (text.length === 10) end.setUTCDate(end.getUTCDate() + 1)
  // `Date.parse` takes 30 February as a day of March.
  if (text.length === 10 && new Date(from).toISOString().slice(0, 10) !== text) return undefined
  const [, fraction] = /T\d\d:\d\d(:\d\d(?:\.\d+)?)?/.exec(text) ?? []
  const ms = text.length <= 10 ? 0 : fraction === undefined ? 60_000 : fraction.includes('.') ? 1 : 1000
  return { from, before: end.getTime() + ms }
}

const compare: Record<string, (found: Span, wanted: Span) => boolean> = {
  eq: (found, wanted) => found.from >= wanted.from && found.before <= wanted.before,
  ge: (found, wanted) => found.before > wanted.from,
  le: (found, wanted) => found.from < wanted.before,
  gt: (found, wanted) => found.before > wanted.before,
  lt: (found, wanted) => found.from < wanted.from,
}

export function tokenOf(text: string): Token {
  const bar = text.indexOf('|')
  return bar < 0 ? { value: text } : { system: text.slice(0, bar), value: text.slice(bar + 1) }
}

/** The values that are joined by a comma: one of them has to fit. */
export const choices = (text: string): string[] => text.split(',').filter(Boolean)

export const patientOf = (reference: string): string => reference.replace(/^Patient\//, '')

/** The field of a resource that each parameter of its type reads. */
const days: Partial<Record<ParameterName, (resource: Resource) => unknown>> = {
  _lastUpdated: ({ meta }) => (meta as { lastUpdated?: string } | undefined)?.lastUpdated,
  date: ({ effectiveDateTime }) => effectiveDateTime,
  authored: ({ authoredOn }) => authoredOn,
  collected: ({ collection }) => (collection as { collectedDateTime?: string } | undefined)?.collectedDateTime,
}

const codes: Partial<Record<ParameterName, (resource: Resource) => Coded[]>> = {
  _id: ({ id }) => [{ value: id }],
  identifier: ({ identifier }) => (identifier as Coded[] | undefined) ?? [],
  code: ({ code }) =>
    ((code as { coding?: { system: string; code: string }[] } | undefined)?.coding ?? []).map((one) => ({
      system: one.system,
      value: one.code,
    })),
  status: ({ status }) => [{ value: String(status) }],
}

function fitsDate(name: ParameterName, text: string): Fits {
  const [, how = 'eq', day = ''] = DATE.exec(text) ?? []
  const span = spanOf(day)
  const fits = compare[how]
  if (!span || !fits) {
    refuse([{ path: name, message: 'Send a date or a time with its offset, after eq, ge, le, gt, lt or nothing' }])
  }
  return (resource) => {
    const value = days[name]?.(resource)
    const found = typeof value === 'string' ? spanOf(value) : undefined
    return found !== undefined && fits(found, span)
  }
}

function fitsToken(name: ParameterName, text: string): Fits {
  const tokens = choices(text).map(tokenOf)
  return (resource) =>
    (codes[name]?.(resource) ?? []).some((found) =>
      tokens.some(
        ({ system, value }) =>
          (system === undefined || system === (found.system ?? '')) && (value === '' || value === found.value),
      ),
    )
}

function fitsPatient(text: string): Fits {
  const wanted = choices(text).map((one) => `Patient/${patientOf(one)}`)
  return ({ subject }) => wanted.includes((subject as { reference?: string } | undefined)?.reference ?? '')
}

/** Whether a resource fits all that was asked. @throws VALIDATION_FAILED for a date that is none */
export function matcher(searchParameters: SearchParameters): Fits {
  const all = (Object.keys(parameters) as ParameterName[]).flatMap((name) =>
    (searchParameters[name] ?? []).map((text) => {
      const { type } = parameters[name]
      if (type === 'date') return fitsDate(name, text)
      return type === 'token' ? fitsToken(name, text) : fitsPatient(text)
    }),
  )
  return (resource) => all.every((fits) => fits(resource))
}
