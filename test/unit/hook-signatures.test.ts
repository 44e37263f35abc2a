import { expect, it } from 'vitest'
import { carrierHooks } from '../../src/modules/fulfilment/hooks.ts'
import { twilioHooks } from '../../src/modules/text-messages/hooks.ts'
import type { Database } from '../../src/platform/database/tx.ts'

it('a hook whose secret is a setting refuses what is not signed before it asks the database', async () => {
  const asked = () => {
    throw new Error('the database was asked')
  }
  const database = {
    context: { publicUrl: 'https://kits.example.com' },
    asSystem: asked,
    inRealm: asked,
  } as unknown as Database
  const secrets = {
    carrierWebhookSecret: `whsec_${'a'.repeat(32)}`,
    easypostWebhookSecret: 'a-secret-of-easypost',
    shippoWebhookToken: 'a-token-of-shippo',
    shipstationWebhookToken: 'a-token-of-shipstation',
    shipbobWebhookSecret: `whsec_${'b'.repeat(32)}`,
  }
  for (const hook of [...twilioHooks(database, 'an-auth-token-of-twilio'), ...carrierHooks(database, secrets)])
    await expect(hook.receive(Buffer.from('{}'), {}, {}, {}), hook.path).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
})
