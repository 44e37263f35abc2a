import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { upsertGuardian } from '../../src/modules/customers/guardian-queries.ts'
import { requestData } from '../../src/modules/privacy/requests/service.ts'
import type { Mode } from '../../src/platform/database/tx.ts'
import { begin, personWithoutPassword } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { type VisitedPage, type Visitor, visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let at: ReturnType<typeof recipients>
beforeAll(async () => {
  world = await sharedWorld()
  at = recipients(world)
})
afterAll(() => world.stop())

interface Listed {
  dataRequestID: string
  customerID: number
  kind: string
  status: string
  reason?: string
}

/** A person with a published report of a business, on their pages. */
async function reader(mode: Mode = 'live') {
  const clinic = await world.business({ name: 'Harbor Clinic', credits: 5 })
  const desk = `desk.${clinic.id}@harbor.example`
  expect((await clinic[mode].request('PATCH', '/settings', { contactEmail: desk })).status).toBe(200)
  const kitId = await at.newKit(clinic, mode)
  const { email } = await at.register(kitId)
  const reportId = await at.report(clinic, kitId, { glucose: 141, ldl: 187 }, mode)
  expect((await clinic[mode].post(`/reports/${reportId}/publish`, {})).status).toBe(200)
  const link = (await at.linksTo(email))[0] ?? ''
  const { who, home } = await at.enter(link)
  return { clinic, desk, kitId, email, reportId, who, home, mode }
}

const ask = async (who: Visitor, kind: string): Promise<VisitedPage> => who.submit(await who.open(`/r/data/${kind}`))

async function listed(clinic: TestBusiness, query = '', mode: Mode = 'live'): Promise<Listed[]> {
  const { status, body, text } = await clinic[mode].get(`/data-requests${query}`)
  expect(status, text).toBe(200)
  return body.data
}

const answer = (clinic: TestBusiness, { dataRequestID }: Listed, how: string, body: object = {}, mode: Mode = 'live') =>
  clinic[mode].post(`/data-requests/${dataRequestID}/${how}`, body)

const first = ([one]: Listed[]): Listed => {
  if (!one) throw new Error('no request is listed')
  return one
}

describe('what people ask for about their data', () => {
  it('is asked on their pages, which say what happens, how long it takes and who decides', async () => {
    const { clinic, who, home, email, desk } = await reader()
    expect(home.html).toContain('href="/r/data"')
    const page = await who.open('/r/data')
    expect(page.text).toContain('Harbor Clinic decides, and answers within 30 days')
    const before = await who.open('/r/data/erasure')
    expect(before.text).toContain('deleted for good. Nobody can bring them back')
    expect(await listed(clinic)).toEqual([])
    const asked = await who.submit(before)
    expect(asked.path).toBe('/r/data')
    expect(asked.text).toMatch(/You asked for this on .* Harbor Clinic answers by/)
    const [request] = await listed(clinic)
    expect(request).toMatchObject({ kind: 'erasure', status: 'open', name: 'Grace O’Hara <b>' })
    expect((await at.emailsTo(email)).map(({ kind }) => kind)).toContain('data_requested')
    const [told] = await at.emailsTo(desk)
    expect(told).toMatchObject({ kind: 'data_request_waits', subject: 'A person asks for their data to be erased' })
    const { body } = await clinic.live.get('/overview')
    expect(body.attention).toContainEqual({ kind: 'dataRequests', count: 1 })
  })

  it('is announced by an event that names nobody, and is in the audit as made by the person', async () => {
    const { clinic, who, email } = await reader()
    await ask(who, 'copy')
    const request = first(await listed(clinic))
    await world.settled()
    const [event] = (await clinic.live.get('/events?type=data_request.created')).body.data
    expect(event.data).toMatchObject({
      dataRequestID: request.dataRequestID,
      customerID: request.customerID,
      kind: 'copy',
    })
    expect(JSON.stringify(event)).not.toContain(email)
    const staff = await begin(world, await personWithoutPassword(world, 'business-admin', clinic))
    const { body } = await staff.in(clinic).get('/audit?action=data_request.made')
    expect(body.data).toMatchObject([
      { actor: `recipient:${request.customerID}`, objectID: String(request.customerID) },
    ])
  })

  it('is one open request however often they ask, and each kind is its own', async () => {
    const { clinic, who, desk } = await reader()
    const page = await who.open('/r/data/copy')
    await Promise.all([who.submit(page), who.submit(page), who.submit(page)])
    await who.submit(page)
    expect((await who.open('/r/data/copy')).path).toBe('/r/data')
    expect(await listed(clinic)).toHaveLength(1)
    expect(await at.emailsTo(desk)).toHaveLength(1)
    await ask(who, 'erasure')
    expect((await listed(clinic)).map(({ kind }) => kind)).toEqual(['copy', 'erasure'])
    expect((await listed(clinic, '?kind=erasure')).map(({ kind }) => kind)).toEqual(['erasure'])
  })

  it('can be made three times a day: what was refused may be asked for again until then', async () => {
    const { clinic, who } = await reader()
    for (const _ of [1, 2, 3]) {
      await ask(who, 'copy')
      const open = first(await listed(clinic, '?status=open'))
      expect((await answer(clinic, open, 'refusal', { reason: 'We sent you one last week.' })).status).toBe(200)
    }
    const page = await ask(who, 'copy')
    expect(page.status).toBe(429)
    expect(await listed(clinic, '?status=open')).toEqual([])
  })

  it('cannot be made by a link to one report, nor before the date of birth was given, nor from another site', async () => {
    const { clinic, who, reportId, email } = await reader()
    const shared = await who.submit(await who.open(`/r/reports/${reportId}/share`), { forWhom: 'Dr. Jones', days: '7' })
    const [, url = ''] = /readonly value="([^"]*)"/.exec(shared.html) ?? []
    const doctor = visitor(world.service.url)
    const shown = await doctor.submit(await doctor.open(new URL(url).pathname), { day: '9', month: '12', year: '1956' })
    expect(shown.text).toContain('187')
    expect(shown.html).not.toContain('/r/data')
    expect((await doctor.open('/r/data')).path).toBe('/r')
    const [, token = ''] = /name="token" value="([^"]*)"/.exec(shown.html) ?? []
    await doctor.post('/r/data/erasure', { token }, { 'sec-fetch-site': 'same-origin' })
    const early = visitor(world.service.url)
    const gate = await early.open((await at.linksTo(email))[0] ?? '')
    const [, other = ''] = /name="token" value="([^"]*)"/.exec(gate.html) ?? []
    await early.post('/r/data/erasure', { token: other }, { 'sec-fetch-site': 'same-origin' })
    const form = await who.open('/r/data/erasure')
    expect((await who.submit(form, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await who.submit(form, { token: 'x' })).status).toBe(403)
    expect((await who.open('/r/data/anything')).status).toBe(404)
    expect(await listed(clinic)).toEqual([])
  })

  it('for a child is confirmed to the guardian, by whose link it was made', async () => {
    const clinic = await world.business({ name: 'Harbor Clinic', credits: 5 })
    const email = at.newEmail()
    const { body: child } = await clinic.live.post('/customer', { email, name: 'Ida Byron', dateOfBirth: '1990-02-03' })
    const guardian = { firstName: 'Anna', lastName: 'Byron', email: at.newEmail(), relation: 'parent' as const }
    await at.inRealm(clinic, (tx) => upsertGuardian(tx, child.id, guardian))
    await at.inRealm(clinic, (tx) => requestData(tx, child.id, 'copy'))
    expect((await at.emailsTo(guardian.email)).map(({ kind }) => kind)).toEqual(['data_requested'])
    await answer(clinic, first(await listed(clinic)), 'copy')
    expect((await at.emailsTo(guardian.email)).map(({ kind }) => kind)).toEqual(['data_answered', 'data_requested'])
    expect(await at.emailsTo(email)).toEqual([])
  })

  it('stays in the sandbox where it was asked for, with its e-mails', async () => {
    const { clinic, who, desk } = await reader('sandbox')
    await ask(who, 'copy')
    expect(await listed(clinic)).toEqual([])
    const request = first(await listed(clinic, '', 'sandbox'))
    expect((await at.emailsTo(desk)).map(({ status, mode }) => [status, mode])).toEqual([['kept', 'sandbox']])
    expect((await answer(clinic, request, 'copy')).status).toBe(404)
    expect((await answer(clinic, request, 'copy', {}, 'sandbox')).status).toBe(200)
    expect((await who.open('/r/data')).text).toContain('Your copy is ready')
    expect((await clinic.sandbox.post('/sandbox/clock', { advance: 'P31D' })).status).toBe(200)
    const { who: later } = await at.enter(await newLink(clinic, request.customerID))
    expect((await later.open('/r/data')).text).toContain('It can no longer be downloaded')
    expect((await later.open('/r/data/copy/file')).status).toBe(404)
  })
})

/** A new link to the pages of a customer of a sandbox. */
async function newLink(clinic: TestBusiness, customerId: number): Promise<string> {
  const { issueLinks } = await import('../../src/modules/links/service.ts')
  const [link] = await at.inRealm(clinic, (tx) => issueLinks(tx, '', [{ customerId }]), 'sandbox')
  return link?.url ?? ''
}

describe('the answer of the business', () => {
  it('that gives a copy lets the person download what is published, and nothing that waits for review', async () => {
    const { clinic, who, kitId, email, reportId } = await reader()
    await ask(who, 'copy')
    expect((await who.open('/r/data/copy/file')).status).toBe(404)
    const { status, body } = await answer(clinic, first(await listed(clinic)), 'copy')
    expect([status, body.status]).toEqual([200, 'granted'])
    expect(body.copyUntilDate).toBeDefined()
    expect((await at.emailsTo(email)).map(({ kind }) => kind)).toContain('data_answered')
    const page = await who.open('/r/data')
    expect(page.text).toContain('Your copy is ready')
    const file = await who.open('/r/data/copy/file')
    expect(file.headers.get('content-disposition')).toContain('my-data.json')
    const copy = JSON.parse(file.html)
    expect(copy.customer.email).toBe(email)
    expect(copy.kits.map(({ kitID }: { kitID: string }) => kitID)).toEqual([kitId])
    expect(copy.reports.map(({ id }: { id: string }) => id)).toEqual([reportId])
    expect(copy.dataRequests).toMatchObject([{ kind: 'copy', status: 'granted' }])
    expect(copy.leftOut.map(({ part }: { part: string }) => part)).toContain('unpublishedReports')
  })

  it('that erases deletes the person and the request: their pages end, and nothing of it is left', async () => {
    const { clinic, who, email } = await reader()
    await ask(who, 'copy')
    const [open] = await listed(clinic)
    if (open) await answer(clinic, open, 'refusal', { reason: `Write to us, ${email}` })
    await ask(who, 'erasure')
    const request = first(await listed(clinic, '?status=open'))
    const { status, body } = await answer(clinic, request, 'erasure')
    expect([status, body.customerID]).toEqual([200, request.customerID])
    expect(await listed(clinic)).toEqual([])
    expect((await who.open('/r/data')).path).toBe('/r')
    expect((await answer(clinic, request, 'erasure')).status).toBe(404)
    const owner = await world.owner()
    const { rows } = await owner.query('select id from data_requests where id = $1', [request.dataRequestID])
    expect(rows).toEqual([])
    expect(await at.emailsTo(email)).toEqual([])
    const staff = await begin(world, await personWithoutPassword(world, 'business-admin', clinic))
    const { body: audit } = await staff.in(clinic).get('/audit?action=data_request.granted')
    expect(audit.data).toMatchObject([{ details: { request: request.dataRequestID, kind: 'erasure' } }])
    expect(JSON.stringify(audit)).not.toContain(email)
  })

  it('that refuses says why, and the person reads it word for word', async () => {
    const { clinic, who } = await reader()
    await ask(who, 'erasure')
    const request = first(await listed(clinic))
    expect((await answer(clinic, request, 'refusal', { reason: ' ' })).status).toBe(400)
    expect((await answer(clinic, request, 'refusal', { reason: '\u200b' })).status).toBe(400)
    const reason = 'A dispute about <your order> is open.'
    expect((await answer(clinic, request, 'refusal', { reason })).body).toMatchObject({ status: 'refused', reason })
    const page = await who.open('/r/data')
    expect(page.text).toContain(`Harbor Clinic refused this on`)
    expect(page.text).toContain(reason)
    expect(page.text).toContain('You may ask again, or complain')
    expect((await answer(clinic, request, 'erasure')).body.code).toBe('DATA_REQUEST_CLOSED')
    expect((await clinic.live.get(`/customers/${request.customerID}`)).status).toBe(200)
  })

  it('is of the kind that was asked for: anyone who asks for a copy is not erased', async () => {
    const { clinic, who } = await reader()
    await ask(who, 'copy')
    const request = first(await listed(clinic))
    expect((await answer(clinic, request, 'erasure')).body.code).toBe('DATA_REQUEST_NOT_FOUND')
    expect((await clinic.live.get(`/customers/${request.customerID}`)).status).toBe(200)
    expect((await answer(clinic, request, 'copy')).status).toBe(200)
  })

  it('that gives a copy needs the scopes of what the copy shows, and is of the own business', async () => {
    const { clinic, who } = await reader()
    await ask(who, 'copy')
    const request = first(await listed(clinic))
    const staff = (await begin(world, await personWithoutPassword(world, 'business-admin', clinic))).in(clinic)
    const made = await staff.post('/tokens', { name: 'crm', scopes: ['customers:read', 'customers:write'] })
    const refused = await world.as(made.body.token).post(`/data-requests/${request.dataRequestID}/copy`, {})
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN'])
    const other = await world.business({ name: 'Other' })
    expect(await listed(other)).toEqual([])
    expect((await answer(other, request, 'copy')).status).toBe(404)
    expect((await answer(other, request, 'refusal', { reason: 'no' })).status).toBe(404)
  })

  it('happens once where two grant an erasure at the same moment', async () => {
    const { clinic, who } = await reader()
    await ask(who, 'erasure')
    const request = first(await listed(clinic))
    const replies = await Promise.all([
      answer(clinic, request, 'erasure'),
      answer(clinic, request, 'erasure'),
      clinic.live.request('DELETE', `/customers/${request.customerID}`),
    ])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  })
})
