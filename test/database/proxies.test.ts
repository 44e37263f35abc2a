import { expect, it } from 'vitest'
import { loadSettings } from '../../src/service/load-settings.ts'
import { person, signIn } from '../harness/people.ts'
import { ownWorld } from '../harness/world.ts'

/** The address that the audit stores for a call whose X-Forwarded-For names another one. */
async function notedAddress(trustedProxies?: string[]): Promise<string> {
  const world = await ownWorld('trusts other proxies', { trustedProxies })
  try {
    const clinic = await world.business()
    const headers = { authorization: `Token ${clinic.liveToken}`, 'x-forwarded-for': '203.0.113.7' }
    await fetch(`${world.service.url}/api/v1/customers`, { headers })
    const admin = await signIn(world, await person(world, 'business-admin', clinic))
    const { body } = await admin.in(clinic).get('/audit?action=customer.listed')
    return body.data[0].ip
  } finally {
    await world.stop()
  }
}

it('a proxy that the settings name says who calls; nobody else is believed', async () => {
  expect(await notedAddress(['127.0.0.0/8'])).toBe('203.0.113.7')
  expect(await notedAddress(['198.51.100.1'])).toBe('127.0.0.1')
  expect(await notedAddress()).toBe('127.0.0.1')
})

it('TRUSTED_PROXIES takes addresses and networks, and says what is none', () => {
  const load = (TRUSTED_PROXIES: string) =>
    loadSettings({ env: { TRUSTED_PROXIES }, flags: {}, envFile: '/nowhere/.env' })
  expect(load('127.0.0.1, 10.0.0.0/8,fd00::/8').trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
  for (const wrong of ['all', '10.0.0.0/33', '10.0.0.0/0', '::1/129', '127.0.0.1/8/8', '']) {
    if (wrong) expect(() => load(wrong)).toThrow(/TRUSTED_PROXIES must be addresses or networks/)
    else expect(load(wrong).trustedProxies).toBeUndefined()
  }
})
