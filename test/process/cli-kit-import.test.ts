import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../src/domain/ids.ts'
import { changeTerms, createPanel, provision } from '../../src/modules/catalogue/service.ts'
import { type CommandLine, commandLine } from '../harness/command-line.ts'
import { importKits } from '../harness/kit-import.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { CORE } from '../harness/orders.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let cli: CommandLine
let operator: Operator

beforeAll(async () => {
  world = await sharedWorld()
  cli = await commandLine(world.urls.owner, world.encryptionKey)
  operator = await operatorWith(world, ['fulfilment', 'lab', 'mail'])
})
afterAll(async () => {
  await world.stop()
  await cli.close()
})

const HEAD =
  'kit_id,kit_type,status,first name,last name,email,street1,city,state,postal_code,notify_receiver,ordered_date,shipped_date,delivered_date,registered_date,sample_shipped_date,received_date,carrier,tracking_number,return_tracking_number,accession,date_of_birth,sex'
const person = (name: string) =>
  `${name},Moved,${name.toLowerCase()}@moved.test,1 Main Street,Springfield,IL,62701,true`
const ALL_DATES = '2026-01-02,2026-01-03,2026-01-06,2026-01-08,2026-01-10,2026-01-12'

/** Five kits of one vendor, each at another stage. */
function fiveKits() {
  const own = randomBase62(8).toUpperCase()
  const id = (kit: string) => `${own}-${kit}`
  const text = [
    HEAD,
    `${id('ORDERED')},${CORE},ordered,${person('Olga')},2026-01-02`,
    `${id('SHIPPED')},${CORE},received.testkit.transit_customer,${person('Sara')},2026-01-02,2026-01-03,,,,,USPS,9400${own},9401${own}`,
    `${id('HOME')},${CORE},delivered,${person('Hugo')},2026-01-02,2026-01-03,2026-01-06`,
    `${id('ACTIVE')},${CORE},KitRegistered,${person('Ana')},2026-01-02,2026-01-03,,2026-01-08,,,,,,,1990-04-05,female`,
    `${id('LAB')},${CORE},received_at_lab,${person('Lara')},${ALL_DATES},UPS,1Z${own},,ACC-${own},1991-02-03,F`,
  ].join('\r\n')
  return { own, id, text }
}

const importing = (clinic: TestBusiness, text: string, ...args: string[]) => importKits(cli, clinic, text, ...args)
const eventsOf = async (clinic: TestBusiness) => {
  await world.settled()
  return (await clinic.live.get('/events?size=250')).body.data as { type: string; data: Record<string, unknown> }[]
}
const emailsOf = async (clinic: TestBusiness) => (await operator('GET', `/emails?businessID=${clinic.id}`)).body.data
const stepsOf = (kit: { progress: { type: string; date?: string }[] }) =>
  kit.progress.flatMap(({ type, date }) => (date ? [`${type} ${date}`] : []))

describe('kitlane kit import', () => {
  it('says in a dry run what would happen to each row, and changes nothing', async () => {
    const clinic = await world.business({ credits: 3 })
    const { text, own } = fiveKits()
    const wrong = [
      `${own}-TYPE,NO_SUCH,delivered,${person('Tim')},2026-01-02,,2026-01-06`,
      `${own}-DONE,${CORE},completed,${person('Tim')},2026-01-02`,
      `${own}-LATE,${CORE},delivered,${person('Tim')},2026-01-09,,2026-01-06`,
      `${own}-ALONE,${CORE},atLab,${person('Tim')},2026-01-02,,,,,2026-01-06`,
      `${own}-NOBODY,${CORE},activated,${person('Tim')},2026-01-02,,,2026-01-06`,
      `${own}-HOME,${CORE},delivered,${person('Tim')},2026-01-02,,2026-01-06`,
      `${own}-CUT,${CORE},shipped,${person('Tim')},2026-01-02,2026-01-03,,,,,USPS,9.40011E+21`,
    ]
    const tried = await importing(clinic, [text, ...wrong].join('\n'), '--dry-run')
    expect(tried).toMatchObject({ code: 1, dryRun: true, taken: 5, alreadyHere: 0, refused: 7 })
    expect(tried.rows.slice(5).map(({ problem }) => problem)).toEqual([
      'kit_type: This kit type is not provisioned for the business',
      expect.stringContaining('status: Send one of kitPreparing'),
      'delivered_date: is before ordered_date',
      'registered_date: is missing: somebody must have registered a kit whose sample is on its way',
      expect.stringMatching(/^date_of_birth: .*a kit that is registered needs it/),
      'external_id: line 4 has the same',
      'tracking_number: a spreadsheet spoiled this value: format its column as text',
    ])
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(0)
    expect((await clinic.live.get('/customers')).body).toEqual([])
    expect(await eventsOf(clinic)).toEqual([])
  })

  it('takes over kits where they stand without e-mails, events or credits, and a second run changes nothing', async () => {
    const clinic = await world.business({ credits: 3 })
    const { text, id, own } = fiveKits()
    const first = await importing(clinic, text)
    expect(first).toMatchObject({ code: 0, taken: 5, refused: 0 })
    expect(await eventsOf(clinic)).toEqual([])
    expect((await clinic.live.get('/credits')).body).toContainEqual({ type: CORE, credits: 3 })
    expect(await emailsOf(clinic)).toEqual([])

    const again = await importing(clinic, text)
    expect(again).toMatchObject({ code: 0, taken: 0, alreadyHere: 5, refused: 0 })
    expect(again.of('LAB')).toMatchObject({ kitID: first.of('LAB').kitID, orderID: first.of('LAB').orderID })
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(5)

    const kit = async (name: string) => (await clinic.live.get(`/kits?externalID=${id(name)}`)).body[0]
    expect([await kit('ORDERED'), await kit('SHIPPED'), await kit('HOME'), await kit('ACTIVE')]).toMatchObject([
      { kitStatus: 'preparing' },
      { kitStatus: 'inTransit', shipment: { toUser: { trackingNumber: `9400${own}`, carrier: 'USPS' } } },
      { kitStatus: 'delivered' },
      { kitStatus: 'registered', registeredToEmail: 'ana@moved.test', customerID: expect.any(Number) },
    ])
    expect(stepsOf(await kit('LAB'))).toEqual([
      'orderPlaced 2026-01-02',
      'kitPreparing 2026-01-03',
      'kitInTransit 2026-01-03',
      'kitDelivered 2026-01-06',
      'kitRegistered 2026-01-08',
      'sampleInTransit 2026-01-10',
      'sampleReceived 2026-01-12',
    ])
    const order = (await clinic.live.get(`/orders/${first.of('HOME').orderID}`)).body
    expect(order).toMatchObject({ status: 'created', payment: { method: 'none', status: 'paid' } })
  })

  it('lets a kit live on as any other: carriers move it, people register it, the laboratory sends its results', async () => {
    const clinic = await world.business({ credits: 3 })
    const { text, own } = fiveKits()
    const taken = await importing(clinic, text)

    const update = { trackingNumber: `9400${own}`, status: 'delivered', at: '2026-01-05T12:00:00Z' }
    expect((await operator('POST', '/carrier-events', [update])).status).toBeLessThan(300)
    const shipped = taken.of('SHIPPED').kitID
    expect((await clinic.live.get(`/kits?kitID=${shipped}`)).body[0].kitStatus).toBe('delivered')

    const home = taken.of('HOME').kitID
    const details = {
      firstName: 'Hugo',
      lastName: 'Moved',
      email: 'hugo@moved.test',
      dateOfBirth: '1980-05-05',
      sex: 'M',
    }
    expect((await clinic.live.post(`/kits/${home}/register`, details)).status).toBe(200)

    const lab = taken.of('LAB').kitID
    const patient = { name: 'Lara Moved', dateOfBirth: '1991-02-03', sex: 'F' }
    const result = { name: 'Glucose', value: 88, unit: 'mg/dL' }
    const sent = await operator('POST', '/lab/results', { accession: `ACC-${own}`, patient, results: [result] })
    expect(sent.status).toBeLessThan(300)
    const kit = (await clinic.live.get(`/kits?kitID=${lab}`)).body[0]
    expect([kit.sampleStatus, kit.status]).toEqual(['partiallyResulted', 'inReview'])

    const announced = (await eventsOf(clinic)).filter(({ type }) => type === 'kit.updated')
    expect(announced.map(({ data }) => [data.kitID, data.event, data.sequence])).toEqual(
      expect.arrayContaining([
        [shipped, 'kitDelivered', 1],
        [home, 'kitRegistered', 1],
        [lab, 'reportReady', 1],
      ]),
    )
    const canceled = await clinic.live.post(`/orders/${taken.of('ORDERED').orderID}/cancel`, {})
    expect(canceled.body).toMatchObject({ status: 'canceled', payment: { method: 'none', status: 'canceled' } })
    expect((await clinic.live.get('/credits')).body).toContainEqual({ type: CORE, credits: 3 })
  })

  it('takes the file of docs/moving.md as it stands', async () => {
    const clinic = await world.business()
    const page = await readFile(join(import.meta.dirname, '../../docs/moving.md'), 'utf8')
    const file = /```csv\n(.*?)```/s.exec(page)?.[1] ?? ''
    expect(await importing(clinic, file, '--dry-run')).toMatchObject({ code: 0, taken: 2, refused: 0 })
  })

  it('sends nothing that a provider has to approve: such a row is refused where the kit would be packed here', async () => {
    const kitType = `H${randomBase62(6).toUpperCase()}`
    const clinic = await world.business()
    await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      await createPanel(tx, { kitType, name: 'Guarded', biomarkers: ['ldl'] })
      await provision(tx, clinic.id, [kitType], { minor: 100 })
      await changeTerms(tx, kitType, { providerNeeded: true })
    })
    const { text } = fiveKits()
    const { rows, ...counts } = await importing(clinic, text.replaceAll(`,${CORE},`, `,${kitType},`))
    expect(counts).toMatchObject({ taken: 4, refused: 1 })
    expect(rows[0]?.problem).toBe('status: A provider approves this test before it is sent from here: place an order')
  })

  it('takes no kit to where its panel is not offered, unless the laboratory has its sample', async () => {
    const kitType = `H${randomBase62(6).toUpperCase()}`
    const clinic = await world.business()
    await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      await createPanel(tx, { kitType, name: 'Local', biomarkers: ['ldl'] })
      await provision(tx, clinic.id, [kitType], { minor: 100 })
      await changeTerms(tx, kitType, { notOfferedIn: ['US-NJ'] })
    })
    const { text } = fiveKits()
    const [head = '', ...rows] = text.replaceAll(`,${CORE},`, `,${kitType},`).split('\r\n')
    const elsewhere = rows.map((row) => row.replace(/,[A-Z]{2},\d{5},/, ',NJ,07030,'))
    const imported = await importing(clinic, [head, ...elsewhere].join('\n'))
    expect(imported).toMatchObject({ taken: 1, refused: 4 })
    expect(imported.rows[0]?.problem).toBe(`state: ${kitType} is not offered in this state`)
    expect(imported.of('LAB').kitID).toBeDefined()
  })

  it('tries it in the sandbox first, and refuses a registration without the consent that the business demands', async () => {
    const clinic = await world.business({ credits: 3 })
    const { text } = fiveKits()
    expect(await importing(clinic, text, '--mode', 'sandbox')).toMatchObject({ taken: 5, refused: 0 })
    expect((await clinic.sandbox.get('/kits')).body).toHaveLength(5)
    expect((await clinic.live.get('/kits')).body).toEqual([])
    await clinic.live.request('PATCH', '/settings', { requireConsent: true })
    const demanded = await importing(clinic, text)
    expect(demanded).toMatchObject({ taken: 3, refused: 2 })
    expect(demanded.of('ACTIVE').problem).toMatch(/needs a consent/)
  })

  it('refuses a person for whom the panel is not, and another one than the customer with this e-mail', async () => {
    const kitType = `W${randomBase62(6).toUpperCase()}`
    const clinic = await world.business()
    await world.service.database.asSystem({ name: 'test' }, async (tx) => {
      await createPanel(tx, { kitType, name: 'For women', biomarkers: ['ldl'] })
      await provision(tx, clinic.id, [kitType], { minor: 100 })
      await changeTerms(tx, kitType, { sex: 'F' })
    })
    const ana = { name: 'Clara Stein', email: 'ana@moved.test', dateOfBirth: '1990-04-05', gender: 'F' }
    expect((await clinic.live.post('/customer', ana)).status).toBe(201)
    const { text } = fiveKits()
    const men = text.replaceAll(`,${CORE},`, `,${kitType},`).replace(/1991-02-03,F/, '1991-02-03,M')
    const { of, ...counts } = await importing(clinic, men)
    expect(counts).toMatchObject({ taken: 3, refused: 2 })
    expect(of('LAB').problem).toMatch(/female sex/)
    expect(of('ACTIVE').problem).toBe('first_name: is not that of the customer with this e-mail')
  })
})
