import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
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
    ['/orders?customer=1', 'customer', 'customerID'],
    ['/orders?user_id=1', 'user_id', 'customerID'],
    ['/orders?sort=createdDate&pagesize=5', 'pagesize', 'size'],
    ['/customers?customer_id=1', 'customer_id', 'id'],
    ['/customers?limit=10', 'limit', 'size'],
    ['/kits?kit_type=CORE&order_date_start=2026-01-01', 'order_date_start', 'createdDateStart'],
    ['/kits?registered_to_email=a@example.test', 'registered_to_email', 'registeredTo'],
    ['/reports?patient=1', 'patient', 'customerID'],
    ['/orders?status[0]=created', 'status[0]', 'status'],
    ['/orders?Status=created&status=pending', 'Status', 'status'],
    ['/kits?kit_status[in]=registered', 'kit_status[in]', 'kitStatus'],
  ])('is refused with the known ones, and the nearest: %s', async (path, name, nearest) => {
    const reply = await clinic.live.get(path)
    if (name === 'externalId_') return expect(reply.status, 'another spelling of one').toBe(200)
    expectRefusal(reply, 'VALIDATION_FAILED', path)
    const problem = reply.body.details.find(({ path: at }: { path: string }) => at === name)
    expect(problem).toBeDefined()
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

  it.each(['0x10', '0b11', '1e1', '５', '1_0', '1,5'])('takes %s for no number of entries or page', async (number) => {
    for (const name of ['size', 'page'])
      expectRefusal(await clinic.live.get(`/orders?${name}=${number}`), 'VALIDATION_FAILED', name)
  })

  it('changes nothing about a single record', async () => {
    const { body } = await clinic.live.post('/create-order', anOrder())
    expect((await clinic.live.get(`/orders/${body.orderId}?expand=kits`)).status).toBe(200)
  })
})

// What a list has once: where it begins and ends, how it is shown, and what a person types to search it.
const ONCE =
  /^(?:page|size|sort|columns|mode|q|name|path|after|before|latest|mine|from|to|since|until|updatedSince|include\w+|per|by|language|stage|isLow|isOpen|isTold|needsAttention|\w*Date(?:Start|End)?)$/

// What answers one thing, chosen by its parameters.
const SINGLE: ReadonlySet<string> = new Set(['getReceipt', 'getCurrentConsentText', 'previewRecall'])

const filtersOf = (query: unknown) =>
  query instanceof z.ZodObject ? Object.entries(query.shape as Record<string, z.ZodType>) : []

/** What a filter makes of two values; an issue of a part says that they were taken apart. */
function isSeveral(filter: z.ZodType): boolean {
  const { data, error } = filter.safeParse('10,20')
  return error ? error.issues.every(({ path: [at] }) => typeof at === 'number') : Array.isArray(data)
}

describe('a filter of a list', () => {
  const lists = (['business', 'operator', 'account'] as const).flatMap((audience) =>
    routesFor(audience).filter((route) => route.method === 'GET' && refusesUnknown(route) && !SINGLE.has(route.id)),
  )

  it('takes several values by comma in every list of businesses and of the operator', () => {
    const tried = lists.flatMap(({ id, query }) =>
      filtersOf(query).flatMap(([name, filter]) =>
        ONCE.test(name) ? [] : [{ filter: `${id} ${name}`, schema: filter }],
      ),
    )
    expect(tried.length).toBeGreaterThan(50)
    expect(tried.flatMap(({ filter, schema }) => (isSeveral(schema) ? [] : [filter]))).toEqual([])
  })
})

describe('the same filter with two values', () => {
  it('counts a value once that comes more often than there are values', async () => {
    const { status } = await clinic.live.get('/orders?status=created,pending,created,created,created&status=pending')
    expect(status).toBe(200)
  })

  it('of events refuses a type that does not exist, since a misspelled one would wait for ever', async () => {
    expect((await clinic.live.get('/events?type=order.created,%20kit.updated,webhook.test')).status).toBe(200)
    expectRefusal(await clinic.live.get('/events?type=order.creatd'), 'VALIDATION_FAILED', 'type')
  })

  it('is answered by every list, whatever the values', async () => {
    const admin = await operatorWith(world, ['fulfilment', 'lab', 'review', 'mail', 'audit', 'system', 'businesses'])
    const shop = '/shops/shop_none/orders'
    const asked: string[] = []
    for (const audience of ['business', 'operator'] as const)
      for (const { path, query, mode, method, unlogged, ...route } of routesFor(audience)) {
        if (
          method !== 'GET' ||
          !refusesUnknown({ path, query, method, ...route }) ||
          path.includes(':') ||
          unlogged ||
          SINGLE.has(route.id)
        )
          continue
        for (const [name, filter] of filtersOf(query).filter(([one]) => !ONCE.test(one))) {
          const values = [...(filter.description ?? '').matchAll(/`(\w+)`/g)].map(([, one]) => one)
          const two = [values.slice(0, 2).join(), '10,20', 'GET,POST', '404,5xx'].find(
            (one) => one !== '' && filter.safeParse(one).success,
          )
          if (!two) continue
          const reply =
            audience === 'operator'
              ? await admin('GET', `${path}?${name}=${two}`)
              : await (mode === 'sandbox' ? clinic.sandbox : clinic.live).get(`${path}?${name}=${two}`)
          if (reply.status === 403) continue
          asked.push(`${path} ${name}`)
          expect([path, name, two, reply.status, reply.status === 200 || reply.text]).toEqual([
            path,
            name,
            two,
            200,
            true,
          ])
        }
      }
    expect(asked.length, asked.join()).toBeGreaterThan(45)
    expect((await clinic.live.get(`${shop}?status=waiting,failed`)).status, 'no such shop').toBe(404)
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

  it('find several people, kits and orders at once, by e-mail, identifier and number', async () => {
    const other = await world.business({ credits: 20 })
    const emails = ['one+a@example.test', 'two@example.test', 'three@example.test']
    const words = ['One', 'Two', 'Three']
    const ids: number[] = []
    for (const [index, email] of emails.entries()) {
      const external_id = ['x,1', 'x2', 'x3'][index]
      ids.push((await other.live.post('/customers', { email, name: `Person ${words[index]}`, external_id })).body.id)
    }
    const [a, b, c] = ids
    const people = async (query: string) => idsIn(await other.live.get(`/customers?${query}`), 'id')
    expect(await people('email=one+a@example.test,%20THREE@example.test')).toEqual([c, a])
    expect(await people('email=one%2Ba@example.test&email=two@example.test')).toEqual([b, a])
    expect(await people('externalID=x2,x3')).toEqual([c, b])
    expect(await people('externalID=x,1'), 'an identifier with a comma').toEqual([a])
    expect(await people('externalID=x3,x,1&page=0&size=5'), 'beside another').toEqual([c, a])

    const { recipient } = anOrder()
    const orders: string[] = []
    for (const [index, email] of emails.entries()) {
      const order = anOrder({
        recipient: { ...recipient, email },
        externalID: `o,${index}`,
        kit_types: [{ kitType: index ? CORE : CARDIO }],
      })
      orders.push((await other.live.post('/create-order', order)).body.orderId)
    }
    const [first, second, third] = orders
    const kits = new Map<string, string>()
    for (const { kitID, orderID } of (await other.live.get('/kits')).body) kits.set(orderID, kitID)
    for (const [index, orderID] of orders.entries())
      await other.live.post(`/kits/${kits.get(orderID)}/register`, {
        firstName: 'Person',
        lastName: words[index],
        email: emails[index],
        dateOfBirth: '1985-01-15',
        sex: 'F',
      })
    const placed = async (query: string) => idsIn(await other.live.get(`/orders?${query}`), 'orderID')
    expect(await placed('email=two@example.test,one+a@example.test')).toEqual([second, first])
    expect(await placed('externalID=o,0,o,2')).toEqual([third, first])
    expect(await placed(`customerID=${b},${c}`)).toEqual([third, second])
    expect(await placed(`customer_id=${a}`)).toEqual([first])
    expect(await placed(`registeredTo=${a},two@example.test`)).toEqual([second, first])
    expect(await placed('customerID=1')).toEqual([])
    const found = async (query: string) => idsIn(await other.live.get(`/kits?${query}`), 'orderID')
    expect(await found('email=two@example.test,three@example.test')).toEqual([third, second])
    expect(await found('externalID=o,1,o,0')).toEqual([second, first])
    expect(await found(`registeredTo=${c},one+a@example.test`)).toEqual([third, first])
    expect(await found(`customerID=${a},${b}`)).toEqual([second, first])
    expect(await found(`sku=${CARDIO}`)).toEqual([first])
    expect(await found(`sku=${CARDIO},${CORE}&page=1&size=1`)).toEqual([second])
    expect((await other.live.get('/kits?externalID=o,1,o,0&size=1')).headers.get('link')).toContain(
      'externalID=o%2C1%2Co%2C0',
    )
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
