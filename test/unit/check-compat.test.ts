import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compatChecker, joined, vendorChecker } from '../../src/cli/compat/check.ts'
import { readRecorded } from '../../src/cli/compat/recorded.ts'
import { vendorNames, vendors } from '../../src/cli/compat/vendors.ts'
import { vendorsDocument } from '../../src/cli/reference-documents.ts'
import { anOrder, CORE } from '../harness/orders.ts'
import { root } from '../harness/sources.ts'
import { vendorOrders } from '../samples/vendor-orders.ts'

const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const api = joined([read('openapi.json'), read('openapi-dashboard.json')])
const check = compatChecker(api)
const ask = (method: string, path: string, body?: unknown) => {
  const [recorded] = readRecorded(JSON.stringify({ method, path, body }))
  if (!recorded || 'problem' in recorded) throw new Error('nothing was read')
  return check(recorded)
}
const { recipient, kit_types } = anOrder() as { recipient: object; kit_types: object[] }
const create = (body: unknown) => ask('POST', '/api/v1/create-order', body)

describe('a recorded request', () => {
  it.for([
    ['single values in place of lists', { recipient, kit_types: kit_types[0] }],
    ['digits as text', { recipient, kit_types: [{ ...kit_types[0], quantity: '2' }] }],
    ['null and empty text where a field is optional', { recipient, kit_types, externalID: null, paymentMethod: '' }],
    ['tags separated by commas', { recipient: { ...recipient, external_tags: 'a,b' }, kit_types }],
    ['other spellings of names', { Recipient: recipient, kitTypes: [{ kit_type: 'ED1NL4E3L' }], external_id: 'A-1' }],
  ] as const)('is taken with %s', ([, body]) => {
    expect(create(body)).toMatchObject({ isTaken: true, problems: [], ignored: [] })
  })

  it('of each example of the OpenAPI document is taken', () => {
    const refused = Object.entries(api.paths as unknown as Record<string, Record<string, Example>>).flatMap(
      ([path, methods]) =>
        Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
          const filled = parameters.reduce((at, one) => at.replace(`{${one.name}}`, one.example ?? 'x'), path)
          const body = requestBody?.content?.['application/json']?.example
          if (requestBody && body === undefined) return []
          const verdict = ask(method, filled, body)
          return verdict.problems.filter(({ field }) => !field.startsWith('?')).map((one) => ({ path, ...one }))
        }),
    )
    expect(refused).toEqual([])
  })

  it('that is wrong is refused with the field and what it must be, and without the value', () => {
    const verdict = create({
      recipient: { ...recipient, email: 7 },
      kit_types: [{ kitType: 'X', quantity: 'secret-word' }],
    })
    expect(verdict).toMatchObject({ isTaken: false, code: 'VALIDATION_FAILED' })
    expect(verdict.problems).toEqual([
      { field: 'recipient.email', message: 'must be text' },
      { field: 'kit_types[0].quantity', message: 'must be a whole number' },
    ])
    expect(JSON.stringify(verdict)).not.toContain('secret-word')
    expect(ask('GET', '/api/v1/orders?size=9000&page=2').problems).toEqual([
      { field: '?size', message: 'must be at most 250' },
    ])
    expect(ask('GET', '/api/v1/orders?emial=a').problems[0]?.message).toContain('Did you mean email?')
    expect(ask('POST', '/api/v1/create-order').problems).toEqual([{ field: '', message: 'a body is missing' }])
  })

  it('names fields and parameters that no route knows', () => {
    expect(create({ recipient: { ...recipient, middle_name: 'X' }, kit_types, couponCode: 'A' }).ignored).toEqual([
      'recipient.middle_name',
      'couponCode',
    ])
    expect(ask('GET', '/api/v1/orders/O123456789?foo=1')).toMatchObject({ isTaken: true, ignored: ['?foo'] })
    const filtered = ask('GET', '/api/v1/customers?emial=a')
    expect(filtered).toMatchObject({ isTaken: false, code: 'VALIDATION_FAILED', ignored: [] })
    expect(filtered.problems).toMatchObject([{ field: '?emial', message: expect.stringContaining('Known: ') }])
    expect(ask('GET', '/api/v1/customers?email=&page=')).toMatchObject({
      isTaken: false,
      problems: [{ field: '?email', message: expect.stringContaining('Empty') }],
    })
    expect(ask('GET', '/api/v1/orders?order_id=O1&registered-to=a@example.test')).toMatchObject({
      ignored: [],
      problems: [],
    })
  })

  it('to a path or with a method that is not there says what is', () => {
    expect(ask('PUT', '/api/v1/orders/O1')).toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
      hint: 'This path takes GET, PATCH.',
    })
    expect(ask('GET', '/api/v1/order')).toMatchObject({ code: 'ROUTE_NOT_FOUND', hint: 'Is GET /api/v1/orders meant?' })
    expect(ask('POST', '/v3/something/else/entirely')).not.toHaveProperty('hint')
    expect(ask('POST', '/api/v1/sai/chats')).not.toHaveProperty('hint')
    for (const path of ['/chats', '/v3/order/123/cancel/all', '/link/token'])
      expect([path, ask('POST', `/api/v1${path}`).hint]).toEqual([path, undefined])
    const hints = [
      ['POST', '/order', 'POST /api/v1/create-order'],
      ['GET', '/order/O123456789', 'GET /api/v1/orders/{id}'],
      ['POST', '/order/O123456789/cancel', 'POST /api/v1/orders/{id}/cancel'],
      ['GET', '/kit/K123456789', 'GET /api/v1/kits/{kitID}'],
      ['GET', '/custmers', 'GET /api/v1/customers'],
    ] as const
    expect(ask('POST', '/api/v1/orders').hint).toBe('This path takes GET. Is POST /api/v1/create-order meant?')
    for (const [method, path, route] of hints) expect(ask(method, `/api/v1${path}`).hint).toBe(`Is ${route} meant?`)
  })

  it('may begin with another path', () => {
    const elsewhere = compatChecker(api, '/v2')
    const [recorded] = readRecorded('{"method":"GET","url":"https://example.com/v2/orders?page=1"}')
    expect(recorded && !('problem' in recorded) && elsewhere(recorded)).toMatchObject({
      isTaken: true,
      path: '/api/v1/orders',
    })
  })
})

describe('a recorded request to another vendor', () => {
  const askVendor = (name: keyof typeof vendors, method: string, path: string, body?: unknown) =>
    vendorChecker(vendors[name], check)({ method, path, query: {}, body })

  it.for(vendorOrders)('of $vendor places an order here, and names what is lost', ({ vendor, path, body, lost }) => {
    const verdict = askVendor(vendor, 'POST', path, body)
    expect(verdict).toMatchObject({ isTaken: true, here: 'POST /api/v1/create-order', problems: [], ignored: lost })
    expect(JSON.stringify(verdict)).not.toMatch(/Ada|Main Street|1990/)
  })

  it('is checked in the words of this API, whatever the body is', () => {
    const [{ body }] = vendorOrders as [(typeof vendorOrders)[0]]
    expect(askVendor('junction', 'POST', '/v3/order', { ...body, patient_address: {} })).toMatchObject({
      isTaken: false,
      problems: expect.arrayContaining([{ field: 'recipient.address', message: 'is missing' }]),
    })
    for (const odd of [undefined, null, 7, 'text', [], [body], { items: 'x', recipient: [] }])
      for (const name of vendorNames) expect(askVendor(name, 'POST', '/v3/order', odd).isTaken).toBe(false)
  })

  it('that does what nothing here does, or is not in the table, is refused with the reason', () => {
    expect(askVendor('terra', 'GET', '/api/v1/labs')).toMatchObject({
      isTaken: false,
      code: 'NOTHING_ALIKE',
      hint: expect.stringContaining('posted'),
    })
    expect(askVendor('spot', 'GET', '/api/v9/moon')).toMatchObject({ isTaken: false, code: 'NOT_KNOWN' })
    expect(askVendor('letsgetchecked', 'GET', '/1001/api/v2/orders/246975')).toMatchObject({
      isTaken: true,
      here: 'GET /api/v1/orders',
    })
  })

  it('without a kit, or with an order whose fields are not public, is not called taken', () => {
    const order = vendorOrders.find(({ vendor }) => vendor === 'spot')
    const spot = { ...order?.body, kit_types: undefined }
    expect(askVendor('spot', 'POST', '/api/v2/orders/', spot)).toMatchObject({
      isTaken: false,
      problems: [{ field: 'kit_types', message: 'is missing' }],
    })
    const put = askVendor('letsgetchecked', 'PUT', '/AB/api/v2/orders/1', { orderItems: [{ code: CORE }] })
    expect(put).toMatchObject({ isTaken: false, code: 'VALIDATION_FAILED' })
    expect(askVendor('terra', 'GET', '/api/v1/orders/activate')).toMatchObject({ code: 'NOTHING_ALIKE' })
  })

  it('shows no ID of a path that is not known', () => {
    const letter = askVendor('letsgetchecked', 'GET', '/AB/api/v1/moon/patient_LGC-2787-3959-3483')
    expect(letter.path).toBe('/AB/api/v1/moon/{id}')
    expect(ask('GET', '/api/v1/moon/ada@example.test').path).toBe('/api/v1/moon/{id}')
  })

  it('leads to routes that exist, as docs/vendors.md says', () => {
    const paths = api.paths as unknown as Record<string, Record<string, unknown>>
    const named = Object.values(vendors).flatMap(({ endpoints }) => endpoints.flatMap(({ ours = [] }) => ours))
    expect(named.length).toBeGreaterThan(30)
    const exists = (one: string) => {
      const [method = '', path = ''] = one.split(' ')
      return paths[path]?.[method.toLowerCase()] !== undefined
    }
    expect(named.filter((one) => !exists(one))).toEqual([])
    expect(readFileSync(join(root, 'docs/vendors.md'), 'utf8')).toBe(vendorsDocument())
  })
})

interface Example {
  parameters?: { name: string; example?: string }[]
  requestBody?: { content?: Record<string, { example?: unknown }> }
}

describe('recorded requests are read', () => {
  it('from HAR, from an array and from lines, without their headers', () => {
    const request = {
      method: 'post',
      url: 'https://example.com/api/v1/quotes?a=1&a=2',
      headers: [{ name: 'authorization', value: 'Token secret' }],
      postData: { text: '{"x":1}' },
    }
    const wanted = { method: 'POST', path: '/api/v1/quotes', query: { a: ['1', '2'] }, body: { x: 1 } }
    expect(readRecorded(JSON.stringify({ log: { entries: [{ request }] } }))).toEqual([wanted])
    expect(readRecorded(JSON.stringify([request]))).toEqual([wanted])
    expect(readRecorded(`${JSON.stringify(request)}\n\n${JSON.stringify(request)}\n`)).toEqual([wanted, wanted])
  })

  it('one by one: a line that is not JSON, or no request, is refused and stops nothing', () => {
    const read = readRecorded('{"method":"GET","path":"/x"}\nnonsense\n{"path":"/y"}\n{"method":"GET","path":"/z"}')
    expect(read).toMatchObject([
      { path: '/x' },
      { problem: 'Line 2 is not JSON.' },
      { problem: 'Request 3 has no method, or no path.' },
      { path: '/z' },
    ])
  })

  it('or the file is refused with the line and an example', () => {
    for (const empty of ['', '\n', '[]', '{"log":{"entries":[]}}'])
      expect(() => readRecorded(empty)).toThrow(/^The file has no requests\. Give a HAR file/)
    expect(() => readRecorded('nonsense')).toThrow(/^Line 1 is not JSON\. Give a HAR file/)
    expect(() => readRecorded('{"a":1}')).toThrow(/^Request 1 has no method, or no path/)
  })
})
