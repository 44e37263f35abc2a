import { isShape, mapValues } from './json-schemas.ts'
import type { OpenApi } from './open-api.ts'

const SECTIONS = ['schemas', 'responses', 'parameters']

/**
 * One of several documents: what few places of this one refer to stands in them, where that is shorter. `known`: names of shapes
 * that stay, because the code has them.
 */
export function withoutLonely(document: OpenApi, known: ReadonlySet<string>): OpenApi {
  const text = JSON.stringify(document)
  const lonely = new Map<string, unknown>()
  const isLonely = (section: string, name: string, part: unknown): boolean => {
    const $ref = `#/components/${section}/${name}`
    const uses = text.split(`"${$ref}"`).length - 1
    const [length, reference] = [JSON.stringify(part).length, JSON.stringify({ $ref }).length]
    const isShorter = uses * length <= length + name.length + uses * reference
    if (isShorter && !(section === 'schemas' && known.has(name))) lonely.set($ref, part)
    return lonely.has($ref)
  }
  const components = mapValues(document.components, (parts, section) =>
    SECTIONS.includes(section)
      ? Object.fromEntries(Object.entries(parts).filter(([name, part]) => !isLonely(section, name, part)))
      : parts,
  )
  if (lonely.size === 0) return document
  const inlined = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(inlined) as T
    if (!isShape(value)) return value
    const inner = mapValues(value as Record<string, unknown>, inlined)
    const { $ref, ...beside } = inner
    if (typeof $ref !== 'string' || !lonely.has($ref)) return inner as T
    return { ...(inlined(lonely.get($ref)) as object), ...beside } as T
  }
  // What stood in one of them may be lonely now.
  return withoutLonely(inlined({ ...document, components }), known)
}
