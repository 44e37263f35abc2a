import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { changeTerms, createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { runKitlane } from '../harness/kitlane.ts'
import { anOrder, aRow, CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let cli: CommandLine

beforeAll(async () => {
  world = await sharedWorld()
  cli = await commandLine(world.urls.owner, world.encryptionKey)
})
afterAll(async () => {
  await world.stop()
  await cli.close()
})

let files = 0
/** `order place` with a body in a file. */
async function placing(clinic: TestBusiness, body: unknown, ...args: string[]): Promise<string[]> {
  const file = join(cli.folder, `order-${files++}.json`)
  await writeFile(file, typeof body === 'string' ? body : JSON.stringify(body))
  return ['order', 'place', '--business', clinic.id, '--file', file, ...args]
}
const place = async (clinic: TestBusiness, body: unknown, ...args: string[]) =>
  cli.json(...(await placing(clinic, body, ...args)))

const creditsOf = async (clinic: TestBusiness) =>
  (await clinic.live.get('/credits')).body.find(({ type }: { type: string }) => type === CORE).credits
const visa = { id: 'pm_card_visa', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2099, attached: true }

describe('kitlane payment-method', () => {
  it('attaches, lists and removes the card that orders are charged to', async () => {
    const clinic = await world.business({ name: 'Carded', credits: 0 })
    const args = (verb: string, ...rest: string[]) => ['payment-method', verb, '--business', 'Carded', ...rest]
    expect((await cli.run(...args('list'))).stdout).toBe('Carded has no live card.\n')
    expect(await cli.json(...args('attach', '--method', 'pm_card_visa'))).toEqual({
      business: { id: clinic.id, name: 'Carded' },
      mode: 'live',
      method: visa,
    })
    expect(await cli.json(...args('list'))).toEqual([visa])
    expect((await clinic.live.get('/payment-methods')).body).toEqual([visa])
    expect((await cli.run(...args('list'))).stdout).toMatch(/pm_card_visa +visa 4242 +2099-12 +attached/)
    expect((await clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))).status).toBe(201)

    const removed = await cli.run(...args('remove', '--method', 'pm_card_visa'))
    expect(removed.stdout).toMatch(/^Removed the visa card ending in 4242 .*No card is attached now/)
    expect((await clinic.live.post('/create-order', anOrder({ paymentMethod: 'card' }))).status).toBe(409)
    expect(await cli.refusal(...args('remove', '--method', 'pm_card_visa'))).toMatch(
      /no saved payment method with this ID/,
    )
    expect(await cli.refusal(...args('attach', '--method', 'pm_of_nobody'))).toMatch(/no such payment method/)
    expect(await cli.refusal(...args('attach', '--method', 'visa'))).toMatch(/^--method must be the ID/)
  })
})

describe('kitlane order place', () => {
  it('places an order with the credits of the business, from a file or from standard input', async () => {
    const clinic = await world.business({ credits: 5 })
    const { orderId } = await place(clinic, anOrder())
    expect((await clinic.live.get(`/orders/${orderId}`)).body).toMatchObject({
      status: 'created',
      payment: { method: 'credits' },
    })
    const args = ['order', 'place', '--business', clinic.name, '--file', '-']
    const env = { DATABASE_URL: world.urls.owner, ENCRYPTION_KEY: world.encryptionKey.toString('hex') }
    const piped = await runKitlane(args, env, cli.folder, JSON.stringify(anOrder()))
    expect(piped).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Placed the order O\w{9}\.\n$/) })
    expect(await creditsOf(clinic)).toBe(3)
    const many = await place(clinic, { bulkUploadData: [aRow(), aRow()] }, '--mode', 'sandbox')
    expect(many.orderIds).toHaveLength(2)
    expect((await clinic.sandbox.get('/orders')).body.pagination.total).toBe(2)
    await place(clinic, anOrder({ is_test_order: true }))
    expect((await clinic.sandbox.get('/orders')).body.pagination.total).toBe(3)
  })

  it('charges the card where the order says so, and says why a card was refused', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.post('/payment-methods', { id: 'pm_card_declined' })
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    const { orderId } = await place(clinic, anOrder({ purchase_with_attached_payment: true }))
    expect((await clinic.live.get(`/orders/${orderId}`)).body.payment).toMatchObject({ method: 'card', status: 'paid' })
    const declined = await placing(clinic, anOrder({ paymentMethod: 'pm_card_declined' }))
    expect(await cli.refusal(...declined)).toBe('The card was declined.\n- card_declined\n')
    const lost = await placing(clinic, anOrder({ paymentMethod: 'pm_card_visa' }), '--pay-later')
    expect(await cli.refusal(...lost)).toMatch(/Leave one of them out/)
  })

  it('says that an order waits for a provider, and not how to pay it, which would be refused', async () => {
    const kitType = `H${randomBase62(6).toUpperCase()}`
    const clinic = await world.business()
    await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      await createPanel(tx, { kitType, name: 'Guarded', biomarkers: ['ldl'] })
      await provision(tx, clinic.id, [kitType], { minor: 100 })
      await changeTerms(tx, kitType, { providerNeeded: true })
    })
    await world.grant(clinic, kitType, 1)
    for (const how of [[], ['--pay-later']]) {
      const args = await placing(clinic, anOrder({ kit_types: [{ kitType }] }), ...how)
      const { stdout } = await cli.run(...args)
      expect(stdout).toMatch(
        /^Placed the pending order O\w{9}\.\nA provider approves it first, and nothing is paid until then\.\n$/,
      )
    }
  })

  it('warns against ordering again while nobody knows whether the card was charged', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.post('/payment-methods', { id: 'pm_card_lost_reply' })
    const args = await placing(clinic, anOrder({ paymentMethod: 'card' }))
    expect(await cli.refusal(...args)).toMatch(/Do not order or pay again/)
  })

  it('places pending orders with --pay-later though there are credits; they are paid or canceled later', async () => {
    const clinic = await world.business({ credits: 3 })
    const { pending, orderId } = await place(clinic, anOrder(), '--pay-later')
    expect(pending).toBe(true)
    expect(await creditsOf(clinic)).toBe(3)
    expect((await clinic.live.get(`/orders/${orderId}`)).body).toMatchObject({ status: 'pending', kits: [] })

    const of = ['--business', clinic.id, '--order', orderId]
    const paid = await cli.json('order', 'pay', ...of, '--with', 'credits')
    expect(paid).toMatchObject({ orderID: orderId, status: 'created', kits: [{ kitStatus: 'preparing' }] })
    expect(await creditsOf(clinic)).toBe(2)
    expect(await cli.refusal('order', 'pay', ...of, '--with', 'credits')).toMatch(/Only a pending order can be paid/)
    const canceled = await cli.run('order', 'cancel', ...of)
    expect(canceled.stdout).toBe(`Canceled the order ${orderId}. Its credits were given back.\n`)
    expect(await creditsOf(clinic)).toBe(3)
    expect(await cli.refusal('order', 'cancel', ...of)).toMatch(/canceled already/)
    expect(await cli.refusal('order', 'cancel', ...of, '--mode', 'sandbox')).toMatch(/no such order/)
  })

  it('pays a pending order by card', async () => {
    const clinic = await world.business({ credits: 0 })
    const [one, two] = await Promise.all([1, 2].map(() => place(clinic, anOrder(), '--pay-later')))
    const pay = (orderId: string, method: string) =>
      ['order', 'pay', '--business', clinic.id, '--order', orderId.toLowerCase(), '--with', method] as const
    expect(await cli.refusal(...pay(one.orderId, 'card'))).toMatch(/No payment method is attached/)
    await clinic.live.post('/payment-methods', { id: 'pm_card_declined' })
    await clinic.live.post('/payment-methods', { id: 'pm_card_visa' })
    expect((await cli.run(...pay(one.orderId, 'card'))).stdout).toMatch(/by card: 19900 USD in minor units/)
    expect(await cli.refusal(...pay(two.orderId, 'pm_card_declined'))).toMatch(/card_declined/)
    expect(await cli.json(...pay(two.orderId, 'pm_card_visa'))).toMatchObject({ status: 'created' })
  })

  it('names what is wrong with a file, and no value of it', async () => {
    const clinic = await world.business({ panels: [CORE] })
    const broken = anOrder({ kit_types: [{ kitType: CORE, quantity: 'hunter2' }] })
    const refusals = await Promise.all([
      cli.refusal(...(await placing(clinic, broken))),
      cli.refusal(...(await placing(clinic, '{"email": "hunter2@example.test"'))),
      cli.refusal(...(await placing(clinic, anOrder({ kit_types: [{ kitType: 'ED2KXO3EE' }] }), '--pay-later'))),
      cli.refusal('order', 'place', '--business', clinic.id, '--file', 'nothing.json'),
      cli.refusal('order', 'place', '--business', clinic.id, '--file', cli.folder),
    ])
    expect(refusals).toEqual([
      expect.stringMatching(/is not the body of POST \/create-order:\n- kit_types\.0\.quantity: /),
      expect.stringMatching(/is not JSON\.\n$/),
      expect.stringMatching(/not provisioned/),
      'nothing.json cannot be read: there is no such file.\n',
      expect.stringMatching(/cannot be read: EISDIR\.\n$/),
    ])
    expect(refusals.join()).not.toContain('hunter2')
  })
})

describe('kitlane bulk-job show', () => {
  it('follows a bulk order that the running service places', async () => {
    const clinic = await world.business({ credits: 0 })
    const rows = Array.from({ length: 25 }, (_, row) => aRow({ external_id: `row-${row}` }))
    const accepted = await cli.run(...(await placing(clinic, { bulkUploadData: rows }, '--pay-later')))
    const [, follow = '', jobId = ''] = /kitlane (bulk-job show .* --job (bulk_\w+))/.exec(accepted.stdout) ?? []
    await expect.poll(async () => (await cli.json(...follow.split(' '))).status, { interval: 100 }).toBe('completed')
    const job = await cli.json(...follow.split(' '))
    expect(job).toMatchObject({ jobId, total: 25, succeeded: 25, failed: 0 })
    expect(job.rows[7]).toMatchObject({ row: 7, status: 'created', externalID: 'row-7' })
    expect((await clinic.live.get(`/orders/${job.rows[7].orderId}`)).body.status).toBe('pending')
    const shown = await cli.run(...follow.split(' '))
    expect(shown.stdout).toContain(
      `The job ${jobId} is completed: 25 of 25 rows are placed, 0 failed. Its orders wait for their payment.\nROW  STATUS`,
    )
    expect((await cli.json(...follow.split(' '), '--rows', 'failed')).rows).toEqual([])
    const wrong = ['bulk-job', 'show', '--business', clinic.id, '--job']
    expect(await cli.refusal(...wrong, 'bulk_0')).toMatch(/no such job/)
    expect(await cli.refusal(...wrong, '17')).toMatch(/^--job must be the ID/)
  })
})
