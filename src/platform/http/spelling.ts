import { addressNames, addressValues } from '../../domain/addresses.ts'

type Fields = Record<string, unknown>

/** What names have in common that differ only in case, in `_` and `-`, or in the `[]` that some put behind lists in queries. */
const lettersOf = (name: string): string => name.replaceAll(/[_-]|\[\]$/g, '').toLowerCase()

/**
 * Renames fields that are written in another way than those of the schema: `kit_type`, `KitType` for `kitType`. Ignoring
 * them would do something else than was asked: filter nothing, or place an order instead of pricing it. Where the
 * name itself is there too, it counts. Those of an address may have names and values that other programs use.
 */
export function toOwnNames(names: readonly string[]): (fields: Fields) => Fields {
  const known = new Set(names)
  const nameOf = new Map<string, string>()
  for (const name of names) if (!nameOf.has(lettersOf(name))) nameOf.set(lettersOf(name), name)
  const ofAddress = addressNames(names)
  for (const [letters, name] of ofAddress) if (!nameOf.has(letters)) nameOf.set(letters, name)
  const valuesOf = ofAddress.size > 0 ? addressValues : (fields: Fields) => fields
  return (fields) => {
    let copy: Fields | undefined
    for (const key of Object.keys(fields)) {
      if (known.has(key)) continue
      const name = nameOf.get(lettersOf(key))
      if (name === undefined || (copy ?? fields)[name] !== undefined) continue
      copy ??= { ...fields }
      copy[name] = fields[key]
      delete copy[key]
    }
    return valuesOf(copy ?? fields)
  }
}
