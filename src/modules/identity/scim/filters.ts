import { refusal } from './rules.ts'

export interface Comparison {
  attribute: string
  value: string
}

const SCHEMA = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i
const COMPARISON = /^\s*([\w.:-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|true|false)\s*/i
const OPENING = /^\s*([\w.:-]+)\[/
const AND = /^and\s+/i
/** How Entra ID names the address of work. */
const OF_WORK = /\bemails\[\s*type\s+eq\s+"work"\s*\]\.value\b/gi

const MAX_COMPARISONS = 10

/**
 * Reads `userName eq "ana"`, several joined by `and`, and `emails[type eq "work" and value eq "…"]`: what Okta and Entra ID
 * use to find what they made. Other operators are refused. @throws invalidFilter
 */
export function readFilter(text: string | undefined, attributes: readonly string[]): Comparison[] {
  if (text === undefined || text.trim() === '') return []
  const refused = () =>
    refusal('invalidFilter', `Filter by ${attributes.join(', ')}, with eq and a text in quotes; join several with and`)
  const found: Comparison[] = []
  let rest = text.replace(OF_WORK, 'emails.value')
  let parent = ''
  for (;;) {
    const [opening, list = ''] = (parent === '' && OPENING.exec(rest)) || []
    if (opening) {
      parent = `${list}.`
      rest = rest.slice(opening.length)
    }
    const [whole, name = '', quoted = ''] = COMPARISON.exec(rest) ?? []
    const attribute = attributeOf(`${parent}${name}`, attributes)
    if (!whole || !attribute || found.length === MAX_COMPARISONS) throw refused()
    found.push({ attribute, value: textOf(quoted) })
    rest = rest.slice(whole.length)
    if (parent !== '' && rest.startsWith(']')) {
      parent = ''
      rest = rest.slice(1).trimStart()
    }
    if (rest === '' && parent === '') return found
    const [and] = AND.exec(rest) ?? []
    if (!and) throw refused()
    rest = rest.slice(and.length)
  }
}

/** An attribute in any case, with or without its schema; a list alone means its values (RFC 7644, 3.4.2.2). */
function attributeOf(name: string, attributes: readonly string[]): string | undefined {
  const bare = name.replace(SCHEMA, '').toLowerCase()
  return attributes.find((one) => one.toLowerCase() === bare || one.toLowerCase() === `${bare}.value`)
}

function textOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted.startsWith('"') ? quoted : quoted.toLowerCase()))
  } catch {
    throw refusal('invalidFilter', 'The text of the filter is not well-formed')
  }
}

type Resource = Record<string, unknown>

/** Attributes that are always returned (RFC 7643, 3.1 and 7). */
const ALWAYS = new Set(['schemas', 'id'])

const namesIn = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((name) => name.trim().replace(SCHEMA, '').toLowerCase())
    .filter((name) => name !== '')

/** A resource with the attributes that were asked for: `attributes`, or all but `excludedAttributes` (RFC 7644, 3.9). */
export function selectAttributes<R extends object>(
  resource: R,
  query: { attributes?: string | undefined; excludedAttributes?: string | undefined },
): R {
  const wanted = namesIn(query.attributes)
  const excluded = namesIn(query.excludedAttributes)
  if (wanted.length === 0 && excluded.length === 0) return resource
  const isShown = (path: string): boolean =>
    wanted.length > 0 ? wanted.some((name) => name === path || path.startsWith(`${name}.`)) : !excluded.includes(path)
  const hasShownPart = (path: string): boolean => wanted.some((name) => name.startsWith(`${path}.`))
  const part = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => part(one, path))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).filter(([name]) => isShown(`${path}.${name.toLowerCase()}`)))
  }
  const shown: Resource = {}
  for (const [name, value] of Object.entries(resource)) {
    const path = name.toLowerCase()
    if (ALWAYS.has(path)) shown[name] = value
    else if (isShown(path) || hasShownPart(path)) shown[name] = part(value, path)
  }
  return shown as R
}
