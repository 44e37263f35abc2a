import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routesFor } from '../../src/modules/index.ts'
import { refusesUnknown } from '../../src/platform/http/unknown-parameters.ts'
import { expectRefusal } from '../harness/answers.ts'
import type { Reply } from '../harness/caller.ts'
import { operatorWith } from '../harness/operator.ts'
import { anOrder, CARDIO, CORE } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

const idsIn = ({ body }: Reply, id: string) => (body.data ?? body).map((one: Record<string, unknown>) => one[id])

describe('a parameter that a list does not know', () => {
  it.each([
    ['/customers?emial=a@example.test', 'emial', 'email'],
    ['/customers?externalId_=X', 'externalId_', undefined],
    ['/kits?state=published', 'state', 'status'],
    ['/orders?customer=1', 'customer', undefined],
    ['/orders?sort=createdDate&pagesize=5', 'pagesize', 'page'],
  ])('is refused with the known ones, and the nearest: %s', async (path, name, nearest) => {
    const reply = await clinic.live.get(path)
    if (name === 'externalId_') return expect(reply.status, 'another spelling of one').toBe(200)
    expectRefusal(reply, 'VALIDATION_FAILED', path)
    const [problem] = reply.body.details
    expect(problem.path).toBe(name)
    expect(problem.message).toContain('Known: ')
    expect(problem.message).toContain('updatedSince')
    if (nearest) expect(problem.message).toContain(`Did you mean ${nearest}?`)
  })

  it('is named with all other problems at once, and never with a value or what is no name', async () => {
    const { body } = await clinic.live.get('/orders?nosuch=ada%40example.test&ada%40example.test=1&size=1000')
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['nosuch', 'query', 'size'])
    expect(JSON.stringify(body)).not.toContain('ada@')
  })

  it('is refused by every list of businesses and of the operator, and by what can be tried with dryRun', async () => {
    const admin = await operatorWith(world, ['fulfilment', 'lab'])
    const lists = routesFor('business').filter(
      (route) => refusesUnknown(route) && route.method === 'GET' && !route.path.includes(':') && !route.unlogged,
    )
    expect(lists.length).toBeGreaterThan(15)
    for (const { id, path, mode } of lists) {
      const reply = await (mode === 'sandbox' ? clinic.sandbox : clinic.live).get(`${path}?nosuchfilter=1`)
      // Some are for sessions only.
      if (reply.status !== 403) expect([id, reply.status, reply.body.code]).toEqual([id, 400, 'VALIDATION_FAILED'])
    }
    expect((await admin('GET', '/fulfilment/queue?nosuchfilter=1')).status).toBe(400)
    const before = (await clinic.live.get('/orders')).body.pagination.total
    expect((await clinic.live.post('/create-order?dryrnu=true', anOrder())).status).toBe(400)
    expect((await clinic.live.get('/orders')).body.pagination.total).toBe(before)
  })

  it('changes nothing about a single record', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    expect((await clinic.live.get(`/orders/${body.orderId}?expand=kits`)).status).toBe(200)
  })
})

describe('an empty parameter of a list', () => {
  const lists = routesFor('business').flatMap(({ method, path, query, mode }) =>
    method === 'GET' && query && !/[:]/.test(path) && !path.startsWith('/fhir/') ? [{ path, query, mode }] : [],
  )
  const names = (query: object) => Object.keys((query as { shape?: object }).shape ?? {})
  const selects = (name: string) => /ID$|^id$|mail$|^name$|^registeredTo$|^trackingNumber$/.test(name)

  it('is refused by its name where it says whom or what the list is about, in every list', async () => {
    let tried = 0
    for (const { path, query, mode } of lists)
      for (const name of names(query).filter(selects))
        for (const empty of ['', '%20', ',', `&${name}=`]) {
          const reply = await (mode === 'sandbox' ? clinic.sandbox : clinic.live).get(`${path}?${name}=${empty}`)
          if (reply.status === 403) continue
          tried++
          expectRefusal(reply, 'VALIDATION_FAILED', `${path}?${name}=${empty}`)
          const paths = new Set(reply.body.details.map((detail: { path: string }) => detail.path))
          expect(paths).toEqual(new Set([name]))
        }
    expect(tried).toBeGreaterThan(40)
    expect((await clinic.live.get('/customers?external_id=')).status, 'another spelling').toBe(400)
  })

  it('is absent everywhere else', async () => {
    const other = await world.business()
    await other.live.post('/create-order', anOrder())
    await world.settled()
    for (const { path, query, mode } of lists) {
      const caller = mode === 'sandbox' ? other.sandbox : other.live
      const rows = ({ body }: Reply) => (body.data ?? body.results ?? body).length
      const whole = await caller.get(path)
      if (whole.status !== 200) continue
      for (const name of names(query).filter((one) => !selects(one))) {
        const reply = await caller.get(`${path}?${name}=`)
        expect([path, name, reply.status]).toEqual([path, name, 200])
        // A page without a size has one, and the log of requests grows by each of these.
        if (path !== '/request-log' && !['page', 'size', 'from', 'to'].includes(name))
          expect([path, name, rows(reply)]).toEqual([path, name, rows(whole)])
      }
    }
  })
})

describe('the filters of lists', () => {
  it('find customers by e-mail, your own identifier and name', async () => {
    const make = async (email: string, name: string, external_id?: string) =>
      (await clinic.live.post('/customers', { email, name, external_id })).body.id
    const ann = await make('ann+kits@example.test', 'Ann García Márquez', 'ext-1')
    const bob = await make('marquez@example.test', 'Bob Stone', 'ext-2')
    const find = async (query: string) => idsIn(await clinic.live.get(`/customers?${query}`), 'id')
    expect(await find('email=ANN%2Bkits@example.test')).toEqual([ann])
    expect(await find('email=ann+kits@example.test'), 'an unencoded plus').toEqual([ann])
    expect(await find('email=nobody@example.test')).toEqual([])
    for (const name of ['externalID', 'external_id', 'externalId']) expect(await find(`${name}=ext-2`)).toEqual([bob])
    expect(await find('name=marquez'), 'no e-mail that begins so').toEqual([ann])
    expect(await find('name=ann%20garc')).toEqual([ann])
    expect(await find('name=stone&page=0&size=5')).toEqual([bob])
    expect(await find('email=ann%2Bkits@example.test&external_id=ext-2')).toEqual([])
  })

  it('find kits by person and by report status', async () => {
    const at = recipients(world)
    const [one, other] = [await at.newKit(clinic), await at.newKit(clinic)]
    const email = 'kit+one@example.test'
    await at.register(one, { email })
    await at.register(other, { email: at.newEmail() })
    const { customerID } = (await clinic.live.get(`/kits/${one}`)).body.kit
    const find = async (query: string) => idsIn(await clinic.live.get(`/kits?${query}`), 'kitID')
    expect(await find(`customerID=${customerID}`)).toEqual([one])
    expect(await find(`customer_id=${customerID}`)).toEqual([one])
    expect(await find('customerID=1')).toEqual([])
    expect((await clinic.live.get('/kits?customerID=me')).status).toBe(400)
    expect(await find(`registeredTo=${customerID}`)).toEqual([one])
    expect(await find('registeredTo=kit+one@example.test')).toEqual([one])
    expect(await find('status=published')).toEqual([])
    expect(await find('status=notStarted,published&kitStatus=registered')).toEqual([other, one])
  })

  it('find orders by the e-mail of the recipient, and several kit types and statuses at once', async () => {
    const other = await world.business({ credits: 5 })
    const place = async (email: string, kitType: string) => {
      const { recipient } = anOrder()
      const order = anOrder({ recipient: { ...recipient, email }, kit_types: [{ kitType }] })
      return (await other.live.post('/create-order', order)).body.orderId
    }
    const core = await place('core+a@example.test', CORE)
    const cardio = await place('cardio@example.test', CARDIO)
    const canceled = await place('cardio@example.test', CARDIO)
    await other.live.post(`/orders/${canceled}/cancel`)
    const find = async (query: string) => idsIn(await other.live.get(`/orders?${query}`), 'orderID')
    expect(await find('email=core+a@example.test')).toEqual([core])
    expect(await find('email=Cardio@example.test&status=created')).toEqual([cardio])
    expect(await find(`sku=${CORE},${CARDIO}`)).toEqual([canceled, cardio, core])
    expect(await find(`sku=${CORE}&sku=${CARDIO}&status=created`)).toEqual([cardio, core])
    expect(await find('status=canceled,pending')).toEqual([canceled])
    expect(await find('kitStatus=preparing,canceled')).toEqual([canceled, cardio, core])
    expect(await find('email=nobody@example.test')).toEqual([])
    expectRefusal(await other.live.get('/orders?status=created,paid'), 'VALIDATION_FAILED', 'no status')
  })
})
