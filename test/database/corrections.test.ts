import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { list as listEmails } from '../../src/modules/emails/service.ts'
import { sinceWritten, yearsBefore } from '../harness/days.ts'
import { glucose, type Reporting, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
})
afterAll(() => world.stop())

const correct = (id: number | string, body: object, business = at.clinic) =>
  business.live.request('PATCH', `/customers/${id}`, body)

async function rowsOf(sql: string, values: unknown[]) {
  const owner = await world.owner()
  return (await owner.query(sql, values)).rows
}

const creatinine = { biomarkerId: 'creatinine', value: 1, unit: 'mg/dL' }

describe('correcting a customer', () => {
  test('takes first and last name in place of the whole name, as the registration does', async () => {
    const { body } = await at.clinic.live.post('/customers', { name: 'Ada', email: 'ada-parts@fix.test' })
    const corrected = await correct(body.id, { firstName: 'Ada', lastName: 'King Noel' })
    expect([corrected.status, corrected.body.name], corrected.text).toEqual([200, 'Ada King Noel'])
    const both = await correct(body.id, { name: 'Ada Byron', firstName: 'Ida', lastName: 'Else' })
    expect(both.body.name).toBe('Ada Byron')
    expect((await correct(body.id, { firstName: 'Ida' })).body.name).toBe('Ada Byron')
  })

  test('changes what is named, leaves the rest, and says in audit and event which fields, not what they hold', async () => {
    const made = await at.clinic.live.post('/customers', { name: 'Ada', email: 'ada@fix.test', external_id: 'fix-1' })
    const id: number = made.body.id
    const change = {
      name: 'Ada Byron',
      gender: 'F',
      phone: null,
      external_id: '',
      address: { city: 'Paris', zip: null },
    }
    const { status, body, text } = await correct('fix-1', { ...change, dateOfBirth: '1985-03-10', customTags: 'a, b' })
    expect(status, text).toBe(200)
    expect(body).toEqual({
      id,
      name: 'Ada Byron',
      email: 'ada@fix.test',
      gender: 'F',
      dateOfBirth: '1985-03-10',
      external_id: 'fix-1',
      customTags: ['a', 'b'],
      reports: [],
    })
    expect((await at.clinic.live.get(`/customers/${id}`)).body).toEqual(body)
    const changed = ['name', 'dateOfBirth', 'gender', 'address', 'customTags']
    const [event] = await rowsOf(`select data from events where type = 'customer.updated' and data->>'id' = $1`, [id])
    expect(event.data).toEqual({
      id,
      external_id: 'fix-1',
      updatedDate: expect.any(String),
      changed: expect.anything(),
    })
    expect(new Set(event.data.changed)).toEqual(new Set(changed))
    await world.settled()
    const fed: { data: { id: number } }[] = (await at.clinic.live.get('/events?type=customer.updated')).body.data
    expect(fed.filter(({ data }) => data.id === id).map(({ data }) => data)).toEqual([event.data])
    const audited = await rowsOf(
      `select details from audit_entries where action = 'customer.updated' and object_id = $1`,
      [String(id)],
    )
    expect(audited).toEqual([{ details: { changed: event.data.changed } }])
    // Repeating the correction changes nothing and creates no event.
    expect((await correct(id, { name: 'Ada Byron', customTags: ['a', 'b'] })).status).toBe(200)
    expect(
      await rowsOf(`select 1 from events where type = 'customer.updated' and data->>'id' = $1`, [id]),
    ).toHaveLength(1)
  })

  test('takes no e-mail and no external_id of another, no birth to come, and nobody of another business', async () => {
    const people = []
    for (const name of ['one', 'two']) {
      const made = await at.clinic.live.post('/customers', {
        name,
        email: `${name}@taken.test`,
        external_id: `taken-${name}`,
      })
      people.push(made.body.id)
    }
    const [one] = people
    const stranger = await world.business()
    const answers = [
      await correct(one, { email: 'TWO@taken.test' }),
      await correct(one, { external_id: 'taken-two' }),
      await correct(one, { dateOfBirth: '2190-01-01' }),
      await correct(one, { gender: 'Q' }),
      await correct(one, { name: 'x' }, stranger),
    ]
    expect(answers.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
      ...['409 CUSTOMER_EXISTS', '409 EXTERNAL_ID_EXISTS', '400 VALIDATION_FAILED', '400 VALIDATION_FAILED'],
      '404 CUSTOMER_NOT_FOUND',
    ])
    expect((await at.clinic.live.get(`/customers/${one}`)).body).toMatchObject({ name: 'one', email: 'one@taken.test' })
  })

  test('with another age or sex judges reports again, as a version that is published like the one before', async () => {
    const sample = { collectedDate: sinceWritten('2026-03-09'), partial: false }
    const dateOfBirth = yearsBefore(41, sinceWritten('2026-03-10'))
    const made = await at.report([creatinine, glucose(90)], sample, { dateOfBirth })
    const egfr = (report: Awaited<ReturnType<typeof at.json>>) =>
      report.biomarker.find(({ id }) => id === 'egfr')?.result
    const before = await at.json(made)
    const same = await correct(made.customerId, { dateOfBirth: yearsBefore(41, sinceWritten('2026-03-11')) })
    expect(same.status, same.text).toBe(200)
    expect((await at.json(made)).details.version).toBe(1)
    const older = { dateOfBirth: yearsBefore(71, sinceWritten('2026-03-10')), gender: 'M' }
    expect((await correct(made.customerId, older)).status).toBe(200)
    const after = await at.json(made)
    expect(after.details).toMatchObject({
      version: 2,
      vendorStatus: 'final',
      status: 'published',
      reason: expect.stringContaining('corrected'),
      collectedDate: sinceWritten('2026-03-09T00:00:00.000Z'),
      changes: expect.anything(),
    })
    expect(egfr(before)).toBe(73)
    // CKD-EPI 2021 at 40 for a woman, at 70 for a man.
    expect(egfr(after)).toBe(81)
    expect(after.biomarker.find(({ id }) => id === 'creatinine')).toMatchObject({
      result: 1,
      rawText: '1',
      rawResult: 1,
    })
    expect((await at.json(made, '?version=1')).biomarker).toHaveLength(before.biomarker.length)
    const events = await rowsOf(
      `select data->>'version' as version from events where type = 'report.published' and kit_id = $1 order by sequence, id`,
      [made.kitId],
    )
    expect(events.map(({ version }) => version).sort()).toEqual(['1', '2'])
  })

  test('keeps the verdict of the laboratory and what it could not use', async () => {
    const results = [
      { ...glucose(90), labFlag: 'HH' },
      { biomarkerId: 'ldl', value: 3.1, unit: 'furlongs' },
      creatinine,
    ]
    const made = await at.report(results, { collectedDate: sinceWritten('2026-03-09') })
    const before = await at.json(made)
    await correct(made.customerId, { gender: 'M' })
    const after = await at.json(made)
    expect(after.details.version).toBe(2)
    const verdict = (report: typeof after) => report.biomarker.find(({ id }) => id === 'glucose')?.interpretation
    expect([verdict(before), verdict(after)]).toEqual(['HH', 'HH'])
    expect(after.unassessed).toEqual(before.unassessed)
  })

  test('with another e-mail ends the links that the old one got, and writes to the new one', async () => {
    const person = { email: 'wrong@mail.test' }
    const placed = await at.clinic.live.post('/create-order', {
      kit_types: [{ kitType: 'ED1NL4E3L' }],
      isNotifyReceiver: true,
      recipient: {
        first_name: 'Rosa',
        last_name: 'Lind',
        email: 'rosa@mail.test',
        address: { street1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
      },
    })
    const [{ kitID }] = (await at.clinic.live.get(`/kits?orderID=${placed.body.orderId}`)).body
    const given = { firstName: 'Ada', lastName: 'Byron', dateOfBirth: '1985-03-10', sex: 'F', ...person }
    const { customerId } = (await at.clinic.live.post(`/kits/${kitID}/register`, given)).body
    const links = () => rowsOf('select 1 from personal_links where customer_id = $1', [customerId])
    expect(await links()).toHaveLength(1)
    expect((await correct(customerId, { email: 'right@mail.test' })).status).toBe(200)
    expect(await links()).toHaveLength(0)
    expect((await at.clinic.live.get(`/kits?kitID=${kitID}`)).body[0].registeredToEmail).toBe('right@mail.test')
    await at.receive({ kitId: kitID, results: [glucose(90)] })
    const { emails } = await world.service.database.asSystem({ name: 'test' }, (tx) =>
      listEmails(tx, { businessIds: [at.clinic.id], page: 0, size: 250 }),
    )
    const told = emails.filter(({ kitId, kind }) => kitId === kitID && kind === 'report_ready')
    expect(told.map(({ to }) => to)).toEqual(['right@mail.test'])
  })
})
