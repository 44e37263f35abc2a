import { describe, expect, it } from 'vitest'
import { inlineSingleUseComponents } from '../../src/cli/openapi/document.ts'
import { brief } from '../../src/cli/openapi/examples.ts'
import { withExtensions } from '../../src/cli/openapi/extending.ts'
import type { OpenApi } from '../../src/cli/openapi/open-api.ts'

const text = (description: string) => ({ type: 'string', description })
const long = text('Long enough that it is worth a reference. '.repeat(6))
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

function documentOf(schemas: Record<string, unknown>, body?: object, answer: object = {}): OpenApi {
  const json = (schema: object) => ({ content: { 'application/json': { schema } } })
  const operation = { operationId: 'getIt', ...(body && { requestBody: json(body) }), responses: { 200: json(answer) } }
  const document = { openapi: '3.1.0', info: {}, servers: [], tags: [], paths: { '/it': { post: operation } } }
  return { ...document, components: { schemas } } as unknown as OpenApi
}

describe('a shape with all fields of a named one, and more', () => {
  const plan = { type: 'object', properties: { planID: long, status: text('Where it stands.') }, required: ['planID'] }
  const detail = { ...plan, properties: { ...plan.properties, dates: text('When.') }, required: ['planID', 'dates'] }

  it('is that one with the rest of its fields', () => {
    const { components } = withExtensions(documentOf({ Plan: plan, PlanDetail: { ...detail, description: 'More.' } }))
    expect(components.schemas?.Plan).toEqual(plan)
    expect(components.schemas?.PlanDetail).toEqual({
      description: 'More.',
      allOf: [ref('Plan'), { type: 'object', properties: { dates: text('When.') }, required: ['dates'] }],
    })
  })

  it('stays as it is where it demands less, says something else, is mostly more, or is asked for', () => {
    const more = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`field${at}`, text('One of many.')]))
    for (const other of [
      { ...detail, required: ['dates'] },
      { ...detail, properties: { ...detail.properties, status: text('How it stands.') } },
      { ...detail, properties: { ...detail.properties, ...more } },
      { ...detail, additionalProperties: {} },
    ]) {
      const { components } = withExtensions(documentOf({ Plan: plan, PlanDetail: other }))
      expect(components.schemas?.PlanDetail).toEqual(other)
    }
    const asked = withExtensions(documentOf({ Plan: plan, PlanDetail: detail }, ref('PlanDetail')))
    expect(asked.components.schemas?.PlanDetail).toEqual(detail)
  })
})

describe('a component that one place refers to', () => {
  it('stands in that place, with what the place says of it; so does one that stood in it', () => {
    const schemas = { Outer: { type: 'object', properties: { inner: ref('Inner') } }, Inner: long }
    const document = inlineSingleUseComponents(
      documentOf(schemas, undefined, { ...ref('Outer'), description: 'Here.' }),
      new Set(),
    )
    const schema = { type: 'object', properties: { inner: long }, description: 'Here.' }
    expect(document.paths['/it']?.post?.responses).toEqual({ 200: { content: { 'application/json': { schema } } } })
    expect(document.components.schemas).toEqual({})
  })

  it('stays if the code has its name, or if several places refer to it', () => {
    const document = documentOf(
      { Long: long, Named: text('Short.') },
      { properties: { a: ref('Long') } },
      {
        properties: { b: ref('Long'), c: ref('Named') },
      },
    )
    expect(inlineSingleUseComponents(document, new Set(['Named']))).toEqual(document)
  })
})

describe('a list in an example', () => {
  it('has the fullest entry, and those with a field that it lacks', () => {
    const fullest = { id: 1, name: 'long enough', note: 'x' }
    expect(brief({ data: [{ id: 2, name: 'y' }, fullest, { id: 3, tag: 'z' }] })).toEqual({
      data: [fullest, { id: 3, tag: 'z' }],
    })
  })

  it('has two of plain values, and is otherwise left alone', () => {
    expect(brief([1, 2, 3])).toEqual([1, 2])
    expect(brief({ empty: [], one: [{ id: 1 }], nothing: null })).toEqual({
      empty: [],
      one: [{ id: 1 }],
      nothing: null,
    })
  })
})
