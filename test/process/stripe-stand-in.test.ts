import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { GatewayUnknown } from '../../src/domain/payment-gateway.ts'
import { createStripe } from '../../src/modules/payments/gateways/stripe.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { createLogger } from '../../src/platform/log.ts'

const egress = createEgress({ allowLoopback: false, log: createLogger({ level: 'silent' }) })
afterAll(() => egress.close())

it('The stand-in runs in a process of its own, where another process plans its faults and reads its charges', async () => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../harness/stripe-stand-in.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }
    const settings = { secretKey: 'sk_test_standin', webhookSecret: 'whsec_test', timeoutMs: 1_000 }
    const gateway = createStripe({ ...settings, apiUrl: url, egress })
    const business = { businessId: 'biz_1', businessName: 'Clinic', idempotencyKey: 'key_1' }
    const { methodId, customerRef } = await gateway.attach({ ...business, methodId: 'pm_card_visa' })
    const charge = () =>
      gateway.charge({
        currency: 'USD',
        capture: true,
        metadata: { order: 'O123456789' },
        amountMinor: 12_345,
        idempotencyKey: 'live:O123456789',
        methodId,
        customerRef,
      })
    const plan = { on: 'POST /v1/payment_intents', fault: 'lose_reply' }
    await fetch(`${url}/_plan`, { method: 'POST', body: JSON.stringify(plan) })
    await expect(charge()).rejects.toBeInstanceOf(GatewayUnknown)
    const { ref } = await charge()
    const state = (await (await fetch(`${url}/_state`)).json()) as { charges: object[] }
    expect(state.charges).toMatchObject([{ ref, amount: 12_345, currency: 'usd' }])
  } finally {
    child.kill()
  }
})
