import { isDeepStrictEqual } from 'node:util'
import { isShape, renamed } from './json-schemas.ts'
import type { OpenApi } from './open-api.ts'

const ENDING = 'Input'

/**
 * What callers send may differ from what they are answered: more forms are taken, and defaults may be left out. Only where
 * it does there are two shapes, `Kit` and `KitInput`.
 */
export function withOneCopy(document: OpenApi): OpenApi {
  const schemas = document.components.schemas ?? {}
  const { components, ...rest } = document
  const { schemas: _, ...others } = components
  const used = referredBy([rest, others], schemas)
  const inputs = Object.keys(schemas).filter((name) => used.has(name) && name.endsWith(ENDING))
  const plain = (name: string) => name.slice(0, -ENDING.length)
  const isAnswered = (name: string) => used.has(plain(name))
  const alike = new Set(inputs.filter(isAnswered))
  const joined = (name: string) => (alike.has(name) ? plain(name) : name)
  // Two shapes are alike only if those are that they refer to.
  for (let before = -1; before !== alike.size; ) {
    before = alike.size
    for (const name of alike)
      if (!isDeepStrictEqual(renamed(schemas[name], joined), schemas[plain(name)])) alike.delete(name)
  }
  const onlyInput = new Set(inputs.filter((name) => !isAnswered(name)))
  const final = (name: string) => (onlyInput.has(name) ? plain(name) : joined(name))
  const remaining = Object.entries(schemas).filter(([name]) => used.has(name) && !alike.has(name))
  const named = Object.fromEntries(remaining.map(([name, shape]) => [final(name), shape]))
  return renamed({ ...document, components: { ...document.components, schemas: named } }, final)
}

/** The names of all shapes that a part refers to, or a shape that is referred to. */
export function referredBy(part: unknown, schemas: Readonly<Record<string, unknown>>): Set<string> {
  const used = new Set<string>()
  const follow = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) follow(one)
    else if (isShape(value)) {
      const [, name] = /^#\/components\/schemas\/(.+)$/.exec(value.$ref?.toString() ?? '') ?? []
      if (name !== undefined && !used.has(name)) {
        used.add(name)
        follow(schemas[name])
      }
      for (const inner of Object.values(value)) follow(inner)
    }
  }
  follow(part)
  return used
}
