import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type ApiDocument, breaks, merged, releasedApis, type Schema } from '../harness/released.ts'
import { root } from '../harness/sources.ts'

const now = merged(
  ['openapi.json', 'openapi-dashboard.json', 'openapi-operator.json'].map((file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  ),
)

it('a client of each released version keeps working: no route, field, type or error code of it is gone', () => {
  const released = releasedApis()
  expect(released.length).toBeGreaterThan(0)
  for (const { name, api } of released) {
    expect(Object.keys(api.paths).length, name).toBeGreaterThan(100)
    expect(breaks(api, now), name).toEqual([])
  }
})

describe('what a client would not survive is found', () => {
  const order: Schema = {
    type: 'object',
    properties: { id: { type: 'string' }, note: { type: 'string' } },
    required: ['id'],
  }
  const document = (change: (parts: { body: Schema; answer: Schema; codes: string[] }) => void): ApiDocument => {
    const parts = { body: structuredClone(order), answer: structuredClone(order), codes: ['NOT_FOUND', 'CONFLICT'] }
    change(parts)
    const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
    return {
      paths: { '/orders': { post: { requestBody: json(parts.body), responses: { 201: json(parts.answer) } } } },
      components: { schemas: { [`Error.${parts.codes.join('.')}`]: {} } },
    }
  }
  const before = document(() => {})
  const properties = (schema: Schema) => schema.properties ?? {}

  it.each<[string, Parameters<typeof document>[0], string]>([
    ['a removed field', ({ answer }) => delete properties(answer).note, '201.note of the answer is gone'],
    ['another type', ({ answer }) => (properties(answer).id = { type: 'integer' }), '201.id of the answer is integer'],
    ['null as a new value', ({ answer }) => (properties(answer).id = { type: ['string', 'null'] }), 'null or string'],
    ['a field that may be missing', ({ answer }) => (answer.required = []), 'missing or string'],
    [
      'a field that is not taken any more',
      ({ body }) => delete properties(body).note,
      'body.note of the request is gone',
    ],
    ['a field that is demanded', ({ body }) => (body.required = ['id', 'note']), 'no longer missing or string'],
    [
      'a new field that is demanded',
      ({ body }) => {
        properties(body).who = { type: 'string' }
        body.required = ['id', 'who']
      },
      'body.who of the request is new and demanded',
    ],
    ['a removed error code', ({ codes }) => codes.pop(), 'the error code CONFLICT is gone'],
  ])('%s', (_what, change, sentence) => {
    expect(breaks(before, document(change)).join()).toContain(sentence)
  })

  it('but a new field that may be left out, a new error code and a new route are fine', () => {
    const after = document(({ body, answer, codes }) => {
      properties(body).more = { type: 'string' }
      properties(answer).more = { type: ['string', 'null'] }
      codes.push('GONE')
    })
    after.paths['/more'] = { get: {} }
    expect(breaks(before, after)).toEqual([])
  })

  it('a removed route', () => {
    expect(breaks(before, { ...before, paths: {} })).toEqual(['POST /orders is gone'])
  })
})
