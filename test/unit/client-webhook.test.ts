import { Webhook as Peer } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { Webhook, WebhookError } from '../../client/src/index.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
const body =
  '{"type":"credits.low","timestamp":"2026-01-01T00:00:00.000Z","data":{"type":"BASE","credits":1,"threshold":5,"note":"µ≥"}}'

/** What another implementation of Standard Webhooks sends, `ageSeconds` ago. */
function signed(secrets: readonly string[] = [secret], ageSeconds = 0): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'Webhook-Id': 'evt_1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'Webhook-Signature': secrets.map((one) => new Peer(one).sign('evt_1', at, body)).join(' '),
  }
}
const reasonOf = (verified: Promise<unknown>) =>
  verified.then(
    () => 'accepted',
    (err) => (err instanceof WebhookError ? err.reason : err),
  )

it('a webhook with a right signature is its event, from text, bytes or a buffer, and any kind of headers', async () => {
  const webhook = new Webhook(secret)
  const event = { id: 'evt_1', ...JSON.parse(body) }
  const bytes = new TextEncoder().encode(body)
  for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)]) {
    expect(await webhook.verify(raw, signed())).toEqual(event)
  }
  expect(await webhook.verify(body, new Headers(signed()))).toEqual(event)
  const lists = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toLowerCase(), [value]]))
  expect(await webhook.verify(body, lists)).toEqual(event)
})

it('while a secret is changed, either side may be first: one of several signatures fits one of several secrets', async () => {
  expect(await reasonOf(new Webhook(secret).verify(body, signed([other, secret])))).toBe('accepted')
  expect(await reasonOf(new Webhook([other, secret]).verify(body, signed([secret])))).toBe('accepted')
  expect(await reasonOf(new Webhook(other).verify(body, signed([secret])))).toBe('SIGNATURE_WRONG')
})

it('a changed body, ID, time or signature, an old or future webhook, and what lacks a header are refused', async () => {
  const webhook = new Webhook(secret)
  const given = signed()
  const changed = (headers: Record<string, string>, raw = body) =>
    reasonOf(webhook.verify(raw, { ...given, ...headers }))
  expect(await changed({}, body.replace('1', '2'))).toBe('SIGNATURE_WRONG')
  expect(await changed({ 'Webhook-Id': 'evt_2' })).toBe('SIGNATURE_WRONG')
  expect(await changed({ 'Webhook-Timestamp': String(Number(given['Webhook-Timestamp']) - 1) })).toBe('SIGNATURE_WRONG')
  for (const signature of ['v1,', 'v1,?', 'v1a,AAAA', `v2,${given['Webhook-Signature']?.slice(3)}`, 'v1,AAAA']) {
    expect(await changed({ 'Webhook-Signature': signature }), signature).toBe('SIGNATURE_WRONG')
  }
  for (const name of Object.keys(given)) expect(await changed({ [name]: '' })).toBe('HEADERS_MISSING')
  expect(await changed({ 'Webhook-Timestamp': '1e9' })).toBe('HEADERS_MISSING')
  expect(await reasonOf(webhook.verify(body, signed([secret], 400)))).toBe('TOO_OLD')
  expect(await reasonOf(webhook.verify(body, signed([secret], -400)))).toBe('TOO_NEW')
  const patient = new Webhook(secret, { toleranceSeconds: 1000 })
  expect(await reasonOf(patient.verify(body, signed([secret], 400)))).toBe('accepted')
})

it('what a test signs is what others accept; a secret that is none is refused at once', async () => {
  const headers = await new Webhook([secret, other]).sign(body, { id: 'evt_9' })
  for (const one of [secret, other]) expect(new Peer(one).verify(body, headers)).toEqual(JSON.parse(body))
  const webhook = new Webhook(secret)
  expect(await reasonOf(webhook.verify('no JSON', await webhook.sign('no JSON')))).toBe('BODY_UNREADABLE')
  for (const wrong of ['', 'whsec_', 'whsec_?', []]) expect(() => new Webhook(wrong)).toThrow(TypeError)
})
