import { z } from 'zod'
import { inSlices } from '../slices.ts'
import { isRecord, maxLength, normalise, optionOf, ownNames, unwrap } from './lenient.ts'

/** More would not help: the caller corrects these and sends the request again. */
export const MAX_PROBLEMS = 100
// Lists up to this length are checked in less than a slice.
const SHORT = 50

export type Checked = { data: unknown } | { issues: z.core.$ZodIssue[]; isAll: boolean }

interface FieldList {
  key: string
  list: z.ZodArray
}

/** What checking has to know of a schema. Asked of each request, Zod's `instanceof` took 2 % of an order's time. */
interface Plan {
  union: z.ZodUnion | undefined
  list: z.ZodArray | undefined
  /** The lists among the fields of an object. */
  lists: readonly FieldList[]
  /** Gives the fields of an object that has lists the names of its schema. */
  named: ReturnType<typeof ownNames> | undefined
  isPipe: boolean
}

const plans = new WeakMap<z.ZodType, Plan>()

function planOf(schema: z.ZodType): Plan {
  const known = plans.get(schema)
  if (known) return known
  const fields = schema instanceof z.ZodObject ? Object.entries(schema.shape as Record<string, z.ZodType>) : []
  const lists = fields.flatMap(([key, field]) => {
    const list = unwrap(field)
    return list instanceof z.ZodArray ? [{ key, list }] : []
  })
  const plan = {
    union: schema instanceof z.ZodUnion ? schema : undefined,
    list: schema instanceof z.ZodArray ? schema : undefined,
    lists,
    named: schema instanceof z.ZodObject && lists.length > 0 ? ownNames(schema) : undefined,
    isPipe: schema instanceof z.ZodPipe,
  }
  plans.set(schema, plan)
  return plan
}

/** Checks a value against its schema. Long lists are checked in slices, and only until 100 problems are known. */
export function check(schema: z.ZodType, value: unknown): Checked | Promise<Checked> {
  const { union } = planOf(schema)
  const meant = union ? (optionOf(union, value) ?? schema) : schema
  const { list, lists, named, isPipe } = planOf(meant)
  if (list && isLong(list, value)) return checkList(list, value)
  if (named && isRecord(value)) {
    const fields = named(value)
    const long = lists.filter(({ key, list }) => isLong(list, fields[key]))
    if (long.length > 0) return checkWithLists(meant as z.ZodObject, fields, long)
  }
  const given = normalise(meant, value)
  return isPipe ? meant.safeParseAsync(given).then(verdict) : verdict(meant.safeParse(given))
}

/** A list above its limit is refused without a look at its entries. */
const isLong = (list: z.ZodArray, value: unknown): value is unknown[] =>
  Array.isArray(value) && value.length > SHORT && value.length <= maxLength(list)

const verdict = (result: z.ZodSafeParseResult<unknown>): Checked =>
  result.success
    ? { data: result.data }
    : { issues: result.error.issues.slice(0, MAX_PROBLEMS), isAll: result.error.issues.length <= MAX_PROBLEMS }

async function checkList(list: z.ZodArray, value: readonly unknown[], at: readonly PropertyKey[] = []) {
  const element = list.element as z.ZodType
  const data: unknown[] = []
  const issues: z.core.$ZodIssue[] = []
  let isAll = true
  await inSlices(value, (entry, index) => {
    const result = element.safeParse(normalise(element, entry))
    if (result.success) data.push(result.data)
    else issues.push(...result.error.issues.map((issue) => ({ ...issue, path: [...at, index, ...issue.path] })))
    isAll = issues.length < MAX_PROBLEMS || index === value.length - 1
    return isAll
  })
  return issues.length > 0 ? { issues: issues.slice(0, MAX_PROBLEMS), isAll } : { data }
}

async function checkWithLists(
  schema: z.ZodObject,
  value: Record<string, unknown>,
  lists: readonly FieldList[],
): Promise<Checked> {
  const issues: z.core.$ZodIssue[] = []
  const checked: Record<string, unknown> = {}
  let isAll = true
  for (const { key, list } of lists) {
    const result = await checkList(list, value[key] as unknown[], [key])
    if ('data' in result) checked[key] = result.data
    else {
      issues.push(...result.issues)
      isAll &&= result.isAll
    }
  }
  const keys = lists.map(({ key }) => key)
  const rest = verdict(
    around(schema, lists).safeParse({ ...(normaliseRest(schema, value, keys) as object), ...checked }),
  )
  if ('data' in rest && issues.length === 0) return rest
  const all = [...('issues' in rest ? rest.issues : []), ...issues]
  return { issues: all.slice(0, MAX_PROBLEMS), isAll: isAll && all.length <= MAX_PROBLEMS }
}

/** Leaves the entries of the lists alone: they are checked one by one. */
function normaliseRest(schema: z.ZodObject, value: Record<string, unknown>, keys: readonly string[]): unknown {
  const lists = Object.fromEntries(keys.map((key) => [key, value[key]]))
  const rest = normalise(schema, { ...value, ...Object.fromEntries(keys.map((key) => [key, undefined])) })
  return { ...(rest as object), ...lists }
}

const shells = new WeakMap<z.ZodObject, Map<string, z.ZodObject>>()

/** The same schema with its refinements, for lists whose entries are already checked. */
function around(schema: z.ZodObject, lists: readonly FieldList[]): z.ZodObject {
  const known = shells.get(schema) ?? new Map<string, z.ZodObject>()
  shells.set(schema, known)
  const name = lists.map(({ key }) => key).join()
  const unchecked = Object.fromEntries(
    lists.map(({ key, list }) => [key, z.core.clone(list, { ...list.def, element: z.unknown() })]),
  )
  const shape = { ...schema.shape, ...unchecked }
  const shell = known.get(name) ?? (z.core.clone(schema, { ...schema.def, shape }) as z.ZodObject)
  known.set(name, shell)
  return shell
}
