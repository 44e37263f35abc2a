import { isShape, mapValues } from './json-schemas.ts'
import type { Shape } from './lenient-shape.ts'

/** What fields are, by name, or by `Owner.name` where that says more: an owner is a named shape or an operation. */
export type FieldWords = Readonly<Record<string, string>>

/** Gives each field that has no description the words for it. */
export function withWords(shape: Shape, owner: string, words: FieldWords): Shape {
  return mapValues(shape, (value, key) => {
    if (key === 'properties') {
      return mapValues(value as Record<string, Shape>, (field, name) => described(field, name, owner, words))
    }
    if (Array.isArray(value)) return value.map((one) => (isShape(one) ? withWords(one, owner, words) : one))
    return isShape(value) && key !== 'default' ? withWords(value, owner, words) : value
  })
}

function described(field: Shape, name: string, owner: string, words: FieldWords): Shape {
  const inner = withWords(field, owner, words)
  const description = field.description ?? wordFor(name, owner, words)
  return description === undefined ? inner : { description, ...inner }
}

export const wordFor = (name: string, owner: string, words: FieldWords): string | undefined =>
  own(words, `${owner}.${name}`) ?? own(words, name)

const own = (words: FieldWords, key: string) => (Object.hasOwn(words, key) ? words[key] : undefined)
