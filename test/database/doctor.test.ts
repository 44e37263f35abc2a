import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../harness/free-port.ts'
import { callKitlane } from '../harness/in-process.ts'
import { operatorToken } from '../harness/operator.ts'
import { closedPort, httpReceiver, type Receiver } from '../harness/receivers.ts'
import { type MailServer, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type World } from '../harness/world.ts'

interface Finding {
  about: string
  status: 'ok' | 'warn' | 'FAIL'
  found: string
  todo?: string
}

let world: World
let mail: MailServer
let stripe: Receiver
let folder: string
let mllpPort: number
let labFolder: string
let labToken: string
beforeAll(async () => {
  mail = await startMailServer()
  stripe = await httpReceiver((request, response) => {
    response.statusCode = request.headers.authorization === 'Bearer sk_test_good' ? 200 : 401
    response.end('{}')
  })
  mllpPort = await freePort()
  folder = await mkdtemp(join(tmpdir(), 'kitlane-doctor-'))
  labFolder = await mkdtemp(join(folder, 'lab-'))
  world = await ownWorld('breaks what the doctor looks at', {
    labFolder: { path: labFolder, token: 'kl_oper_…' },
    mllp: { port: mllpPort, host: '127.0.0.1', tlsCertificate: undefined, tlsKey: undefined },
    carrierWebhookSecret: 'whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4',
    easypostWebhookSecret: 'the-secret-of-easypost',
    shipstationWebhookToken: 'the-token-of-shipstation',
    shipbobWebhookSecret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3',
    shippoWebhookToken: 'the-token-of-shippo',
    twilio: {
      accountSid: `AC${'a1'.repeat(16)}`,
      authToken: 'the-auth-token-of-twilio',
      from: '+15550100001',
      apiUrl: undefined,
    },
  })
  await world.business()
  labToken = await operatorToken(world, ['lab'])
})
afterAll(async () => {
  await world.stop()
  await Promise.all([mail.stop(), stripe.stop(), rm(folder, { recursive: true, force: true })])
})

const settings = () => ({
  DATABASE_URL: world.urls.owner,
  ENCRYPTION_KEY: world.encryptionKey.toString('hex'),
  PUBLIC_URL: 'https://kits.example.com',
  DATA_DIR: folder,
  SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  STRIPE_SECRET_KEY: 'sk_test_good',
  STRIPE_WEBHOOK_SECRET: 'whsec_canary',
  STRIPE_API_URL: `http://127.0.0.1:${stripe.port}`,
})

async function doctor(changes: Record<string, string> = {}, options: readonly string[] = []) {
  const env = { ...settings(), ...changes }
  const { code, stdout, stderr } = await callKitlane(['doctor', '--json', ...options], env, folder)
  for (const secret of [env.ENCRYPTION_KEY, 'sk_test', 'whsec_canary', env.DATABASE_URL, 'user:secret']) {
    expect(stdout + stderr).not.toContain(secret)
  }
  const { healthy, findings }: { healthy: boolean; findings: Finding[] } = JSON.parse(stdout)
  return { code, healthy, findings, of: (about: string) => findings.find((one) => one.about === about) }
}

describe('kitlane doctor', () => {
  it('finds a running service healthy, and changes and sends nothing', async () => {
    const { code, healthy, findings } = await doctor()
    expect(findings.filter(({ status }) => status === 'FAIL')).toEqual([])
    expect([code, healthy]).toEqual([0, true])
    const good = findings.filter(({ status }) => status === 'ok').map(({ about }) => about)
    expect(good).toEqual(
      expect.arrayContaining([
        'settings',
        'database',
        'clock',
        'migrations',
        'rights',
        'keys',
        'workers',
        'mail',
        'gateway',
      ]),
    )
    expect(mail.received).toEqual([])
  })

  it('--integrations plays what connected systems send, changes nothing, and says what to do where it is refused', async () => {
    const hooks = {
      PUBLIC_URL: world.service.url,
      CARRIER_WEBHOOK_SECRET: 'whsec_YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4',
      EASYPOST_WEBHOOK_SECRET: 'the-secret-of-easypost',
      SHIPSTATION_WEBHOOK_TOKEN: 'the-token-of-shipstation',
      SHIPBOB_WEBHOOK_SECRET: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3',
      SHIPPO_WEBHOOK_TOKEN: 'another-than-the-service-has',
      TWILIO_ACCOUNT_SID: `AC${'a1'.repeat(16)}`,
      TWILIO_AUTH_TOKEN: 'the-auth-token-of-twilio',
      TWILIO_FROM: '+15550100001',
      MLLP_PORT: String(mllpPort),
      MLLP_HOST: '127.0.0.1',
      LAB_FOLDER_PATH: labFolder,
      LAB_FOLDER_TOKEN: labToken,
    }
    const { of, code, findings } = await doctor(hooks, ['--integrations'])
    const carriers = ['carriers', 'EasyPost', 'ShipStation', 'ShipBob']
    const others = ['text messages', 'laboratory', 'single sign-on', 'shops', 'MLLP', 'laboratory folder', 'mail']
    const well = ['service', ...carriers, ...others]
    expect(of('MLLP')?.found).toMatch(/acknowledges a message/)
    expect(well.map((about) => [about, of(about)?.status])).toEqual(well.map((about) => [about, 'ok']))
    expect(of('Shippo')).toMatchObject({ status: 'FAIL', todo: expect.stringContaining('SHIPPO_WEBHOOK_TOKEN') })
    expect(of('cards')).toMatchObject({ status: 'FAIL', todo: expect.stringContaining('STRIPE_WEBHOOK_SECRET') })
    expect(code).toBe(1)
    const played = findings.filter(({ about }) => about === 'Shopify' || about === 'WooCommerce')
    expect(played.map(({ found }) => found)).toEqual([
      'In the sandbox, a paid order: placed.',
      'In the sandbox, an order that is not paid: unpaid.',
      'In the sandbox, an order half of which is fulfilled: placed.',
      'In the sandbox, an order that is fulfilled: skipped, fulfilled.',
      'In the sandbox, an order with a tip: placed.',
      'In the sandbox, an order of an unknown product: waiting, unknown_item.',
      'In the sandbox, an order without a street: waiting, recipient_incomplete.',
      'In the sandbox, a paid order that is canceled: canceled.',
      'In the sandbox, an order in processing: placed.',
      'In the sandbox, an order that is not paid: unpaid.',
      'In the sandbox, an order that is completed: skipped, fulfilled.',
      'In the sandbox, an order in a state of an extension: waiting, state_unclear.',
      'In the sandbox, an order of half a kit: waiting, quantity_unclear.',
      'In the sandbox, an order that is refunded: canceled.',
    ])
    expect(played.every(({ status }) => status === 'ok')).toBe(true)
    const { rows } = await (await world.owner()).query(
      'select (select count(*)::int from carrier_events) as carriers, (select count(*)::int from shops) as shops, (select count(*)::int from orders) as orders',
    )
    expect(rows).toEqual([{ carriers: 0, shops: 0, orders: 0 }])
    expect(mail.received).toEqual([])
    const without = { ...hooks, LAB_FOLDER_PATH: '', LAB_FOLDER_TOKEN: '' }
    const deaf = await doctor({ ...without, MLLP_PORT: String(await closedPort()) }, ['--integrations'])
    expect(deaf.of('MLLP')).toMatchObject({ status: 'FAIL', found: expect.stringContaining('ECONNREFUSED') })
    const strange = await doctor({ ...hooks, LAB_FOLDER_TOKEN: 'kl_oper_nobody' }, ['--integrations'])
    expect(strange.of('laboratory folder')).toMatchObject({
      status: 'FAIL',
      todo: expect.stringContaining('scope results'),
    })
    const away = await doctor({ ...without, PUBLIC_URL: `http://127.0.0.1:${await closedPort()}` }, ['--integrations'])
    expect(away.of('service')).toMatchObject({ status: 'FAIL', todo: expect.stringContaining('PUBLIC_URL') })
  })

  it('--integrations signs a message as each connected shop does, which changes nothing', async () => {
    const clinic = await world.business()
    const hooks = { PUBLIC_URL: world.service.url }
    const items = [{ sku: 'CORE-1', kitType: 'ED1NL4E3L' }]
    const shop = { kind: 'shopify', url: 'https://ada.myshopify.com', webhookSecret: 'the-secret-of-ada', items }
    const made = await clinic.live.post('/shops', shop)
    expect(made.status).toBe(201)
    const other = await clinic.live.post('/shops', { kind: 'woocommerce', url: 'https://ada.example', items })
    expect(other.status).toBe(201)
    const { of } = await doctor(hooks, ['--integrations'])
    expect(of('shops')).toMatchObject({
      status: 'warn',
      found: expect.stringMatching(/takes messages of 2 .*2 of them have never/),
    })
    const owner = await world.owner()
    const { rows } = await owner.query('select count(*)::int from shop_deliveries')
    expect(rows).toEqual([{ count: 0 }])
    // As where the service runs with another key than these settings.
    await owner.query('update shops s set secret = (select o.secret from shops o where o.id <> s.id) where kind = $1', [
      'shopify',
    ])
    expect((await doctor(hooks, ['--integrations'])).findings).toContainEqual(
      expect.objectContaining({ about: 'shops', status: 'FAIL' }),
    )
    await owner.query('delete from shops')
  })

  it('says where the addresses of callers are those of a proxy', async () => {
    expect((await doctor()).of('callers')).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('TRUSTED_PROXIES names none'),
    })
    const proxies = { TRUSTED_PROXIES: '10.0.0.31' }
    expect((await doctor(proxies)).of('callers')?.status).toBe('ok')
    const owner = await world.owner()
    for (const [problem, status] of [
      ['untrusted', 'FAIL'],
      ['single', 'warn'],
    ]) {
      await owner.query(
        `insert into process_beats (id, works, beat_at, caller_problem) values ('proc_other', false, clock_timestamp(), $1)
         on conflict (id) do update set beat_at = excluded.beat_at, caller_problem = excluded.caller_problem`,
        [problem],
      )
      expect((await doctor(proxies)).of('callers')?.status).toBe(status)
    }
    await owner.query(`delete from process_beats where id = 'proc_other'`)
  })

  it('says for everything that is not ok what to do, as lines for people too', async () => {
    const { findings } = await doctor({ SMTP_URL: '' })
    for (const { status, todo, about } of findings)
      expect([about, todo !== undefined]).toEqual([about, status !== 'ok'])
    const { stdout } = await callKitlane(['doctor'], { ...settings(), SMTP_URL: '' }, folder)
    expect(stdout).toMatch(/^ok {4}database/m)
    expect(stdout).toMatch(/^warn {2}mail .*\n {25}→ Set SMTP_URL/m)
  })

  it('fails where mail server and gateway do not serve, each by itself', async () => {
    const port = await closedPort()
    const { code, of } = await doctor({
      SMTP_URL: `smtp://user:secret@127.0.0.1:${port}`,
      STRIPE_SECRET_KEY: 'sk_test_bad',
    })
    expect([code, of('mail')?.status, of('gateway')?.status, of('keys')?.status]).toEqual([1, 'FAIL', 'FAIL', 'ok'])
  })

  it('fails with another encryption key, without a database, and with settings that are wrong', async () => {
    const wrongKey = await doctor({ ENCRYPTION_KEY: randomBytes(32).toString('hex') })
    expect([wrongKey.code, wrongKey.of('keys')?.status]).toEqual([1, 'FAIL'])
    const gone = await doctor({ DATABASE_URL: `postgres://user:secret@127.0.0.1:${await closedPort()}/kitlane` })
    expect([gone.code, gone.of('database')?.status, gone.of('mail')?.status]).toEqual([1, 'FAIL', 'ok'])
    const wrong = await doctor({ PORT: 'canary' })
    expect([wrong.code, wrong.of('settings')?.status]).toEqual([1, 'FAIL'])
  })

  it('does not call a folder safe that it cannot look at', async () => {
    const file = join(folder, 'no-folder')
    await writeFile(file, '', { mode: 0o600 })
    const { of } = await doctor({ DATA_DIR: file })
    expect(of('data folder')).toMatchObject({ status: 'warn', found: expect.stringContaining('ENOTDIR') })
    const none = await doctor({ DATA_DIR: join(folder, 'not-made-yet') })
    expect(none.of('data folder')).toMatchObject({ found: expect.stringContaining('is not there yet') })
  })

  it('finds a ledger that does not add up', async () => {
    const owner = await world.owner()
    await owner.query(`insert into ledger_checks (at, ok) values (now(), false)`)
    const { code, of } = await doctor()
    await owner.query(`reset role; delete from ledger_checks`)
    expect([code, of('ledger')?.status]).toEqual([1, 'FAIL'])
    expect(of('ledger')?.todo).toContain('kitlane verify-ledger')
  })
})
