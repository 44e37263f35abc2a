import { z } from 'zod'
import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import { type Checked, check, MAX_PROBLEMS } from './check.ts'
import { type IdempotencyKey, type KeyStore, once } from './idempotency.ts'
import { isRecord, ownNames } from './lenient.ts'
import type { Input, Route } from './route.ts'
import { refusesUnknown, trialInBody, unknownParameters } from './unknown-parameters.ts'
import type { WireAnswer } from './wire.ts'

// A sentence with more is not read; `details` has them all.
const MAX_NAMED = 5

/** Throws one VALIDATION_FAILED for all problems, or for the first hundred. */
export function refuse(details: ErrorDetail[], isAll = true): never {
  const shown = details.slice(0, MAX_PROBLEMS)
  const hasMore = !isAll || details.length > shown.length
  const message = sentenceOf(shown, hasMore)
  if (hasMore) shown.push({ message: 'There are more problems: correct these and send the request again' })
  throw new AppError('VALIDATION_FAILED', message, { details: shown })
}

/** All problems in one sentence, for those who log or show nothing else; of many, the first. */
function sentenceOf(problems: readonly ErrorDetail[], hasMore: boolean): string {
  const named = problems.slice(0, MAX_NAMED).map(({ path, message }) => (path ? `${path}: ${message}` : message))
  if (problems.length === 1 && !hasMore) return named.join()
  const count = hasMore ? `more than ${MAX_PROBLEMS}` : problems.length
  const unnamed = problems.length - named.length
  const rest = hasMore ? ['and others'] : unnamed > 0 ? [`and ${unnamed} more`] : []
  return `The request has ${count} problems: ${[...named, ...rest].join('; ')}`
}

/** `at` is the path of the checked value itself. */
export function issueDetails(error: Pick<z.ZodError, 'issues'>, at: readonly PropertyKey[] = []): ErrorDetail[] {
  return error.issues.map((issue) => {
    const path = [...at, ...issue.path]
    return { message: wordsOf(issue), ...(path.length > 0 && { path: path.map(String).join('.') }), code: issue.code }
  })
}

const kinds: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  undefined: 'nothing',
  null: 'null',
  // Only text from a query becomes it.
  NaN: 'a text',
}

/** Zod's sentence, but for the most frequent mistakes, which it tells in the words of a programming language. */
function wordsOf(issue: z.core.$ZodIssue): string {
  const [{ wanted, given } = {}, ...others] = mistakesIn(issue)
  if (!wanted || !given) return limitWords(issue) ?? ofItsKind(issue) ?? issue.message
  const all = [...new Set([wanted, ...others.map((other) => other.wanted)])]
  if (given === kinds.undefined) return `Is missing: send ${eitherOf(all)}`
  // "A whole number, not a number": what was sent is a number, but no whole one.
  return wanted.endsWith('number') && given === kinds.number
    ? `Send ${eitherOf(all)}`
    : `Send ${eitherOf(all)}, not ${given}`
}

/** What the only form of the sent kind says, such as a number where a number or a text may be sent. */
function ofItsKind(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return undefined
  const own = issue.errors.flatMap(([first, ...more]) =>
    first && first.code !== 'invalid_type' && more.length === 0 ? [first] : [],
  )
  const [only, ...others] = own
  return only && others.length === 0 && only.path.length === 0 ? wordsOf(only) : undefined
}

const UNITS: Record<string, [one: string, several: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  number: ['', ''],
  int: ['', ''],
}

/** For a value of the right kind that is too small or too large, or none of those that there are. */
function limitWords(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid option: '))
    return `Send ${eitherOf(issue.values.map(String))}`
  if (issue.code !== 'too_small' && issue.code !== 'too_big') return undefined
  const units = UNITS[issue.origin]
  if (!units || !/^Too (small|big): /.test(issue.message)) return undefined
  const isLeast = issue.code === 'too_small'
  const limit = isLeast ? issue.minimum : issue.maximum
  if (isLeast && units[0] && Number(limit) === 1) return 'Must not be empty'
  const bound = isLeast ? (issue.inclusive ? 'at least' : 'more than') : issue.inclusive ? 'at most' : 'less than'
  return `Send ${bound} ${limit} ${units[Number(limit) === 1 ? 0 : 1]}`.trim()
}

const eitherOf = (words: string[]) => [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ')

interface Mistake {
  wanted: string
  given: string
}

/** What was wanted instead of what was sent; of several kinds, each. None: it is another mistake. */
function mistakesIn(issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code === 'invalid_union') {
    const found = issue.errors.flatMap(([first]) => (first && first.path.length === 0 ? mistakesIn(first) : []))
    return issue.message === 'Invalid input' && found.length === issue.errors.length ? found : []
  }
  const [, expected = '', received = ''] = /^Invalid input: expected (\w+), received (\w+)$/.exec(issue.message) ?? []
  const [wanted, given] = [kinds[expected], kinds[received]]
  return issue.code === 'invalid_type' && wanted && given ? [{ wanted, given }] : []
}

const CUT_PLUS = /^(\d{4}-\d\d-\d\d[Tt][\d:.]+) (\d\d:\d\d)$/

/** An address reads `+` as a space: a time whose offset was not percent-encoded gets its `+` back. */
const withPlus = (query: unknown): unknown =>
  isRecord(query)
    ? Object.fromEntries(
        Object.entries(query).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.replace(CUT_PLUS, '$1+$2') : value,
        ]),
      )
    : query

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
function emptySelections(route: Queried, sent: unknown): ErrorDetail[] {
  if (!isRecord(sent) || !(route.query instanceof z.ZodObject) || route.method !== 'GET' || !refusesUnknown(route))
    return []
  const known = route.query.shape
  return Object.entries(ownNames(route.query)(sent))
    .filter(([name, value]) => Object.hasOwn(known, name) && isEmptySelection(name, value))
    .map(([name]) => ({ message: 'Empty: send a value, or leave the parameter out', path: name }))
}

/** Leaves out what is empty and optional, also where the text of a parameter may be empty. */
function withoutEmpty(schema: z.ZodType | undefined, sent: unknown): unknown {
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

/** Checks path, query and body together, so that the caller learns of every problem at once. */
export async function validate(
  route: Pick<Route, 'audience' | 'method' | 'path' | 'params' | 'query' | 'body' | 'bodyFor' | 'answers'>,
  raw: Input<unknown, unknown, unknown>,
  /** Problems that the database knows of, asked for only if there are others. */
  findMore?: () => Promise<ErrorDetail[]>,
): Promise<Input<unknown, unknown, unknown>> {
  const details: ErrorDetail[] = [
    ...unknownParameters(route, raw.query),
    ...emptySelections(route, raw.query),
    ...trialInBody(route, raw.body),
  ]
  let isAll = true
  const read = (result: Checked) => {
    if ('data' in result) return result.data
    details.push(...issueDetails(result))
    isAll &&= result.isAll
    return undefined
  }
  const use = (schema: z.ZodType | undefined, value: unknown) => {
    if (!schema) return undefined
    const checking = check(schema, value)
    return checking instanceof Promise ? checking.then(read) : read(checking)
  }
  // Only long lists take turns; waiting for what is already there costs each request three of them.
  let params = use(route.params, raw.params)
  if (params instanceof Promise) params = await params
  let query = use(route.query, withoutEmpty(route.query, withPlus(raw.query)))
  if (query instanceof Promise) query = await query
  let body = use(route.bodyFor?.(query) ?? route.body, raw.body)
  if (body instanceof Promise) body = await body
  if (details.length > 0) refuse([...details, ...((await findMore?.()) ?? [])], isAll)
  return { params, query, body }
}

type AnyInput = Input<unknown, unknown, unknown>

interface Keyed {
  key: IdempotencyKey
  refused(err: AppError): WireAnswer
  inStore(step: (store: KeyStore) => Promise<WireAnswer>): Promise<WireAnswer>
}

/**
 * Validates a request. What is wrong with the request itself stays wrong, so that refusal is the answer of its key: sent again
 * it is replayed, and a corrected request takes a new key.
 */
export async function validatedOnce(
  validating: () => Promise<AnyInput>,
  keyed: Keyed | undefined,
): Promise<{ input: AnyInput } | { answer: WireAnswer }> {
  try {
    return { input: await validating() }
  } catch (err) {
    if (!keyed || !(err instanceof AppError) || err.code !== 'VALIDATION_FAILED') throw err
    const stored = await keyed.inStore((store) => once(store, keyed.key, async () => keyed.refused(err), keyed.refused))
    return { answer: stored }
  }
}
