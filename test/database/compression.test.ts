import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anOrder } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness
beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  for (let n = 0; n < 12; n++) await clinic.live.post('/create-order', anOrder({ externalID: `order ${n} of Ünal` }))
})
afterAll(() => world.stop())

/** Asks as a client without any help of its own. */
async function ask(path: string, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') {
  const answer = await request(`${world.service.url}${path}`, { method, headers })
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) }
}

const withToken = (accepted: string) => ({ authorization: `Bearer ${clinic.liveToken}`, 'accept-encoding': accepted })

describe('a long answer for a caller with a token', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip;q=0.5, br;q=0', gunzipSync],
  ])('comes as %s to one that takes it, the same to the byte', async (encoding, accepted, open) => {
    const plain = await ask('/api/v1/orders', withToken('identity'))
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(plain.bytes.toString()).data).toHaveLength(12)
    const packed = await ask('/api/v1/orders', withToken(accepted))
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length)
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(open(packed.bytes)).toEqual(plain.bytes)
    // Which of both a cache may give to whom, besides what the list itself varies by.
    for (const { headers } of [plain, packed]) expect(headers.vary).toBe('Accept, Accept-Encoding')
    const head = await ask('/api/v1/orders', withToken(accepted), 'HEAD')
    const told = ({ headers }: typeof head) => [headers['content-encoding'], headers['content-length'], headers.vary]
    expect([head.bytes.length, told(head)]).toEqual([0, told(packed)])
  })

  it('is also one of FHIR', async () => {
    const metadata = await ask('/fhir/metadata', withToken('br'))
    expect([metadata.status, metadata.headers['content-encoding']]).toEqual([200, 'br'])
    expect(metadata.headers['content-type']).toMatch(/^application\/fhir\+json/)
    expect(JSON.parse(brotliDecompressSync(metadata.bytes).toString()).resourceType).toBe('CapabilityStatement')
  })
})

describe('an answer is sent as it is', () => {
  it('if it is short, or another format that is sent as it is made', async () => {
    const short = await ask('/api/v1/verify-token', withToken('br'))
    expect([short.status, short.headers['content-encoding'], short.headers.vary]).toEqual([200, undefined, undefined])
    const csv = await ask('/api/v1/orders', { ...withToken('br'), accept: 'text/csv' })
    expect([csv.status, csv.headers['content-encoding'], csv.headers.vary]).toEqual([200, undefined, 'Accept'])
    expect(csv.bytes.toString()).toContain('order 3 of Ünal')
  })

  it('to a session in a browser, which another site can make ask', async () => {
    const { cookie } = await signIn(world, await person(world, 'business-admin', clinic))
    const headers = { cookie, 'kitlane-realm': `${clinic.id}/live`, 'accept-encoding': 'br' }
    const list = await ask('/api/v1/orders', headers)
    expect([list.status, list.headers['content-encoding'], list.headers.vary]).toEqual([200, undefined, 'Accept'])
  })
})
