import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTwilioStandIn, type TwilioStandIn } from '../harness/twilio-stand-in.ts'
import { ownWorld, type World } from '../harness/world.ts'

const LIMIT = 600

let twilio: TwilioStandIn
let world: World
beforeAll(async () => {
  twilio = await startTwilioStandIn()
  world = await ownWorld('trusts other proxies', { twilio: twilio.settings, trustedProxies: ['127.0.0.1'] })
})
afterAll(async () => {
  await world.stop()
  await twilio.stop()
})

const post = (path: string, ip: string) =>
  fetch(`${world.service.url}${path}`, { method: 'POST', body: '{}', headers: { 'x-forwarded-for': ip } })

/** The statuses of so many requests, each with how many answered it. */
async function statusesOf(path: string, ip: string, times: number): Promise<Record<number, number>> {
  const seen: Record<number, number> = {}
  for (let sent = 0; sent < times; sent += 10)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, () => post(path, ip))))
      seen[status] = (seen[status] ?? 0) + 1
  return seen
}

describe('what calls /hooks without a signature', () => {
  it('is refused by its address after 600 in a minute, at every hook together; other addresses are not', async () => {
    const [ip, shop] = ['203.0.113.1', '/hooks/shops/shop_unknown']
    expect(await statusesOf(shop, ip, 10)).toEqual({ 404: 10 })
    expect(await statusesOf('/hooks/twilio', ip, LIMIT + 40)).toEqual({ 400: LIMIT - 10, 429: 50 })
    for (const path of [shop, '/hooks/twilio']) {
      const refused = await post(path, ip)
      expect([path, refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([path, 429, true])
      expect(await refused.json()).toMatchObject({ code: 'RATE_LIMITED' })
    }
    expect((await post(shop, '203.0.113.9')).status).toBe(404)
    expect((await post('/hooks/twilio', '203.0.113.9')).status).toBe(400)
  })

  it('keeps no signed message from being taken, also from the same address', async () => {
    await statusesOf('/hooks/twilio', '127.0.0.1', LIMIT + 50)
    expect((await post('/hooks/twilio', '127.0.0.1')).status).toBe(429)
    expect(await twilio.reply(world.service.url, { From: '+15550109000', Body: 'STOP' })).toBe(200)
  })
})
