import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { routes } from '../../src/modules/index.ts'
import { check } from '../../src/platform/http/check.ts'
import { isRecord } from '../../src/platform/http/lenient.ts'
import { type Shape, samples, shapeOf } from '../harness/generate.ts'

interface Place {
  path: (string | number)[]
  isRequired: boolean
}

/** The fields that a value of this shape has or may have. */
function fieldsOf(shape: Shape, value: unknown, at: (string | number)[] = []): Place[] {
  if (Array.isArray(value))
    return value.flatMap((entry, i) => (i === 0 ? fieldsOf(shape.items ?? {}, entry, [...at, i]) : []))
  const fits = [shape, ...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].filter((one) => one.properties)
  const [object] = fits.length === 1 ? fits : []
  if (!object || !isRecord(value)) return []
  return Object.entries(object.properties ?? {}).flatMap(([name, field]) => [
    { path: [...at, name], isRequired: object.required?.includes(name) ?? false },
    ...fieldsOf(field, value[name], [...at, name]),
  ])
}

function withValue(value: unknown, [first, ...rest]: readonly (string | number)[], set: unknown): unknown {
  if (first === undefined) return set
  if (Array.isArray(value)) return value.map((entry, i) => (i === first ? withValue(entry, rest, set) : entry))
  return { ...(value as object), [first]: withValue((value as Record<string, unknown>)[first], rest, set) }
}

const accepted = async (schema: z.ZodType, value: unknown) => 'data' in (await check(schema, value))

function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<string | number, unknown> | undefined)?.[key], value)
}

/** Each field of each valid sample of the bodies and queries, where `changed` makes another value of it. */
async function refused(of: 'body' | 'query', changed: (place: Place, value: unknown) => unknown) {
  const found = new Set<string>()
  let tried = 0
  for (const route of routes) {
    const schema = route[of]
    for (const sample of schema ? samples(schema) : []) {
      if (!schema || !(await accepted(schema, sample))) continue
      for (const place of fieldsOf(shapeOf(schema), sample)) {
        const next = changed(place, valueAt(sample, place.path))
        if (next === undefined || !(await accepted(schema, without(sample, place)))) continue
        tried++
        if (!(await accepted(schema, withValue(sample, place.path, next))))
          found.add(`${route.id} ${place.path.join('.')}`)
      }
    }
  }
  return { refused: [...found], tried }
}

/** What must be taken anyway: an optional field may still be needed because of another one. */
const without = (sample: unknown, { path, isRequired }: Place) =>
  isRequired ? sample : withValue(sample, path, undefined)

/** `kit_type` of `kitType`, and the other way round. */
const otherSpelling = (name: string) =>
  name.includes('_')
    ? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
    : name.replaceAll(/(?<=[a-z])[A-Z]+/g, (letters) => `_${letters.toLowerCase()}`)

/** The fields that are not read as themselves when their name is spelled in another way. */
async function lostWhenSpelledOtherwise(of: 'body' | 'query') {
  const lost = new Set<string>()
  let tried = 0
  for (const route of routes) {
    const schema = route[of]
    for (const sample of schema ? samples(schema) : []) {
      if (!schema || !(await accepted(schema, sample))) continue
      const places = fieldsOf(shapeOf(schema), sample)
      const declared = new Set(places.map(({ path }) => path.join('.')))
      for (const { path } of places) {
        const name = String(path.at(-1))
        const value = valueAt(sample, path)
        const other = otherSpelling(name)
        const parent = valueAt(sample, path.slice(0, -1)) as object
        if (value === undefined || other === name || declared.has([...path.slice(0, -1), other].join('.'))) continue
        tried++
        const { [name]: _, ...rest } = parent as Record<string, unknown>
        const spelled = withValue(sample, path.slice(0, -1), { ...rest, [other]: value })
        const read = [await check(schema, sample), await check(schema, spelled)].map((one) => JSON.stringify(one))
        if (read[0] !== read[1]) lost.add(`${route.id} ${path.join('.')}`)
      }
    }
  }
  return { lost: [...lost], tried }
}

describe('every route', () => {
  it('takes null in a body where a field is optional', async () => {
    const { refused: wrong, tried } = await refused('body', ({ isRequired }) => (isRequired ? undefined : null))
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(100)
  })

  it('takes an empty text in a query where a field is optional', async () => {
    const { refused: wrong, tried } = await refused('query', ({ isRequired }) => (isRequired ? undefined : ''))
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(30)
  })

  it.each(['body', 'query'] as const)(
    'takes a timestamp with any offset where a date is asked for in a %s',
    async (of) => {
      const { refused: wrong, tried } = await refused(of, ({ path }, value) =>
        path.at(-1) === 'dateOfBirth' || /^\d{4}-\d\d-\d\d$/.test(String(value))
          ? '1990-05-17T08:15:00+02:00'
          : undefined,
      )
      expect(wrong).toEqual([])
      expect(tried).toBeGreaterThan(2)
    },
  )

  it.each(['body', 'query'] as const)(
    'reads each field of a %s in another spelling as the field itself',
    async (of) => {
      const { lost, tried } = await lostWhenSpelledOtherwise(of)
      expect(lost).toEqual([])
      expect(tried).toBeGreaterThan(50)
    },
  )
})
