import data from './data/vendors.json' with { type: 'json' }

/** What a vendor of test kits calls things, by its public documentation, and what is the same here. */
export interface Vendor {
  name: string
  /** Where the facts were read, in November 2026. */
  source: string
  /** How a request says who sends it. */
  auth: string
  webhooks: string
  endpoints: readonly Endpoint[]
  /** Fields of an order, in pairs: theirs, ours. `[]` is each of a list; a field of ours without a list takes the first. */
  order: readonly string[][]
  /** In pairs: theirs, ours. */
  statuses: readonly string[][]
}

export interface Endpoint {
  theirs: string
  /** Undefined: nothing here does this. */
  ours?: string
  /** What differs, or why there is nothing. */
  words?: string
  /** It places an order, whose body is translated. */
  places?: boolean
}

export const vendors = data as Record<keyof typeof data, Vendor>
export type VendorName = keyof typeof vendors
export const vendorNames = Object.keys(vendors) as VendorName[]

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An order of a vendor as one of ours, and the names of its fields that have no place here. */
export function translated({ order }: Vendor, body: unknown): { body: Json; lost: string[] } {
  const ours: Json = {}
  const used = new Set<string>()
  for (const [theirs = '', to = ''] of order)
    for (const { at, value, index } of valuesAt(body, theirs)) {
      used.add(at)
      // Their IDs may be numbers; ours are texts.
      const own = typeof value === 'number' && !to.endsWith('quantity') ? String(value) : value
      if (index > 0 && !to.includes('[]')) continue
      const [first = '', last] = to.split(', ')
      // A whole name: the last word is the family name.
      const [, given = own, family] = (last && /^(.+)\s+(\S+)$/.exec(String(own).trim())) || []
      put(ours, first, index, given)
      if (last && family) put(ours, last, index, family)
    }
  return { body: ours, lost: leavesOf(body).filter((at) => !used.has(at)) }
}

/** The values at a path, with the place in the first list that it goes through. */
function valuesAt(from: unknown, path: string): { at: string; value: unknown; index: number }[] {
  let found = [{ at: '', value: from, index: 0 }]
  for (const part of path.split('.')) {
    const name = part.replace('[]', '')
    found = found.flatMap(({ at, value, index }) => {
      const inner = isObject(value) ? value[name] : undefined
      const here = at === '' ? part : `${at}.${part}`
      if (inner === undefined || inner === null) return []
      if (!part.endsWith('[]')) return [{ at: here, value: inner, index }]
      return (Array.isArray(inner) ? inner : [inner]).map((one, i) => ({ at: here, value: one as unknown, index: i }))
    })
  }
  return found
}

function put(into: Json, path: string, index: number, value: unknown): void {
  const [first = '', ...rest] = path.split('.')
  const name = first.replace('[]', '')
  if (rest.length === 0) into[name] ??= value
  else if (first.endsWith('[]')) {
    const list = (into[name] ?? []) as Json[]
    list[index] ??= {}
    into[name] = list
    put(list[index], rest.join('.'), index, value)
  } else {
    into[name] ??= {}
    put(into[name] as Json, rest.join('.'), index, value)
  }
}

/** The paths of all values, each once. */
function leavesOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => leavesOf(one, `${at}[]`)))]
  if (!isObject(value)) return at === '' || value === null ? [] : [at]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, at ? `${at}.${name}` : name))
}
