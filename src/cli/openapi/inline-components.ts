import { isShape, mapValues } from './json-schemas.ts'
import type { OpenApi } from './open-api.ts'

const SECTIONS = ['schemas', 'responses', 'parameters']

/**
 * One of several documents: what few places of this one refer to stands in them, where that is shorter. `known`: names of shapes
 * that stay, because the code has them.
 */
export function inlineSingleUseComponents(document: OpenApi, known: ReadonlySet<string>): OpenApi {
  const text = JSON.stringify(document)
  const singleUse = new Map<string, unknown>()
  const isSingleUse = (section: string, name: string, part: unknown): boolean => {
    const $ref = `#/components/${section}/${name}`
    const uses = text.split(`"${$ref}"`).length - 1
    const [length, reference] = [JSON.stringify(part).length, JSON.stringify({ $ref }).length]
    const isShorter = uses * length <= length + name.length + uses * reference
    if (isShorter && !(section === 'schemas' && known.has(name))) singleUse.set($ref, part)
    return singleUse.has($ref)
  }
  const components = mapValues(document.components, (parts, section) =>
    SECTIONS.includes(section)
      ? Object.fromEntries(Object.entries(parts).filter(([name, part]) => !isSingleUse(section, name, part)))
      : parts,
  )
  if (singleUse.size === 0) return document
  const inlined = <T>(value: T): T => {
    if (Array.isArray(value)) return value.map(inlined) as T
    if (!isShape(value)) return value
    const inner = mapValues(value as Record<string, unknown>, inlined)
    const { $ref, ...beside } = inner
    if (typeof $ref !== 'string' || !singleUse.has($ref)) return inner as T
    return { ...(inlined(singleUse.get($ref)) as object), ...beside } as T
  }
  // A component that one of them contained may have a single use now.
  return inlineSingleUseComponents(inlined({ ...document, components }), known)
}
