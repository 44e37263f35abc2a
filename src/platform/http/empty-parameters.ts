import { z } from 'zod'
import type { ErrorDetail } from '../../domain/errors.ts'
import { isRecord, ownNames } from './lenient.ts'
import type { Route } from './route.ts'
import { refusesUnknown } from './unknown-parameters.ts'

// Parameters that say whom or what a list is about.
const SELECTS = /(?:^id|ID|[eE]mail|^name|^registeredTo|^trackingNumber)$/

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isEmpty) : typeof value === 'string' && /^[\s,]*$/.test(value)

/** Whether a parameter of a list says nothing of whom or what the list is about, though that is its purpose. */
export const isEmptySelection = (name: string, value: unknown): boolean => SELECTS.test(name) && isEmpty(value)

type Queried = Pick<Route, 'audience' | 'method' | 'path' | 'query' | 'answers'>

/**
 * A problem for each empty parameter that says whom or what a list is about. Read as absent it would answer everything, and a program
 * whose variable was empty would take the first of all.
 */
export function emptySelections(route: Queried, sent: unknown): ErrorDetail[] {
  if (!isRecord(sent) || !(route.query instanceof z.ZodObject) || route.method !== 'GET' || !refusesUnknown(route))
    return []
  const known = route.query.shape
  return Object.entries(ownNames(route.query)(sent))
    .filter(([name, value]) => Object.hasOwn(known, name) && isEmptySelection(name, value))
    .map(([name]) => ({ message: 'Empty: send a value, or leave the parameter out', path: name }))
}

/** Leaves out what is empty and optional, also where the text of a parameter may be empty. */
export function withoutEmpty(schema: z.ZodType | undefined, sent: unknown): unknown {
  if (!isRecord(sent) || !(schema instanceof z.ZodObject)) return sent
  const fields: Record<string, z.ZodType> = schema.shape
  // `?dryRun` is empty and means something.
  const isAbsent = (field: z.ZodType | undefined) => {
    if (field?._zod.optin === undefined) return false
    const { data } = field.safeParse('')
    return data === '' || (Array.isArray(data) && data.length === 0)
  }
  const named = ownNames(schema)(sent)
  return Object.fromEntries(Object.entries(named).filter(([name, value]) => value !== '' || !isAbsent(fields[name])))
}
