import { caller } from '../../test/harness/caller.ts'
import { aRow, CORE } from '../../test/harness/orders.ts'
import { type Journey, newKit, personOf, recipientOf, right, until } from './traveller.ts'

export const ordered = ({ live, marks }: Journey): Promise<string> =>
  newKit(live, { recipient: recipientOf(marks), isNotifyReceiver: true }, { 'idempotency-key': 'an-order' })

export async function orderedFlat({ live, marks }: Journey) {
  const { address, ...who } = recipientOf(marks)
  right(await live.post('/legacy/create-order', { kitType: CORE, paymentMethod: 'credits', ...who, ...address }))
}

export async function orderedInBulk({ live, marks }: Journey) {
  const bulkUploadData = Array.from({ length: 20 }, (_, row) =>
    row > 2
      ? aRow()
      : aRow({
          first_name: marks.word('rows of bulk orders'),
          last_name: marks.word('rows of bulk orders'),
          email: marks.email('rows of bulk orders'),
          street1: marks.word('rows of bulk orders', ' Street 1'),
        }),
  )
  const { body } = right(await live.post('/create-order', { bulkUploadData }, { 'idempotency-key': 'in-bulk' }))
  await until(async () => (await live.get(`/bulk-order-jobs/${body.jobId}`)).body.status === 'completed')
}

export async function registered({ live, marks }: Journey, kitID: string): Promise<number> {
  const person = personOf(marks, 1953)
  const agreed = {
    firstName: marks.word('consents'),
    lastName: marks.word('consents'),
    email: marks.email('consents'),
    consentToTesting: true,
    consentVersion: 'v1',
  }
  right(await live.post(`/kits/${kitID}/consent`, agreed, { 'idempotency-key': 'a-consent' }))
  const key = { 'idempotency-key': 'a-registration' }
  return right(await live.post(`/kits/${kitID}/register`, person, key)).body.customerId
}

export async function carried({ operator, marks }: Journey, kitID: string) {
  const tracking = '1ZCANARY0000000001'
  const labels = { kitID, carrier: 'UPS', outboundTrackingNumber: tracking, returnTrackingNumber: '94CANARY01' }
  right(await operator.post('/fulfilment/shipments', labels, { 'idempotency-key': 'shipped' }))
  const at = new Date(Date.now() - 60_000).toISOString()
  const message = `Left with ${marks.word('notes of carriers')}`
  right(await operator.post('/carrier-events', [{ trackingNumber: tracking, status: 'exception', at, message }]))
  right(
    await operator.post('/carrier-events', [
      { trackingNumber: tracking, status: 'delivered', at: new Date().toISOString() },
    ]),
  )
}

export async function customers({ live, operator, marks, step }: Journey) {
  const customer = () => ({
    email: marks.email(),
    name: `${marks.word('names')} ${marks.word('names')}`,
    dateOfBirth: marks.born(1962),
  })
  await step('a customer that is corrected and looked for', async () => {
    const key = { 'idempotency-key': 'a-customer' }
    const made = right(await live.post('/customer', customer(), key)).body
    const address = { street1: marks.street(), city: marks.word('cities'), state: 'OR', zip: '97003' }
    const name = marks.word('names')
    const changed = { name, phone: marks.phone(), address }
    right(await live.request('PATCH', `/customers/${made.id}`, changed, { 'idempotency-key': 'a-correction' }))
    for (const path of ['/customers?q=', '/search?q=']) right(await live.get(`${path}${encodeURIComponent(name)}`))
    right(await operator.get(`/search?q=${encodeURIComponent(name)}`))
  })
  await step('an answer that is kept', async () => {
    const name = `${marks.word('answers kept for an idempotency key')} Tester`
    const email = marks.email('answers kept for an idempotency key')
    right(await live.post('/customer', { email, name, dateOfBirth: '1970-01-01' }, { 'idempotency-key': 'kept' }))
    right(await live.post('/customer', { email, name, dateOfBirth: '1970-01-01' }, { 'idempotency-key': 'kept' }))
  })
}

export async function guarded({ live, operator, marks }: Journey) {
  right(await operator.request('PATCH', `/panels/${CORE}`, { minAge: 5 }))
  const kitID = await newKit(live)
  const agreed = {
    firstName: marks.word('guardians'),
    lastName: marks.word('guardians'),
    email: marks.email('guardians'),
    relation: 'parent',
    consentToTesting: true,
  }
  right(await live.post(`/kits/${kitID}/consent`, agreed))
  const { firstName, lastName, email } = agreed
  const guardian = { firstName, lastName, relation: 'parent' }
  right(await live.post(`/kits/${kitID}/register`, { ...personOf(marks, 2014), email, guardian }))
  right(await live.post(`/kits/${kitID}/consent/withdrawal`, { what: 'testing' }))
}

export async function rejected({ live, operator, marks }: Journey) {
  const kitID = await newKit(live)
  right(await live.post(`/kits/${kitID}/register`, personOf(marks, 1964)))
  right(await operator.post('/samples/receive', { kitID }))
  right(await operator.post('/samples/reject', { kitID, reason: 'hemolysis', note: marks.word('notes') }))
  right(await live.post(`/kits/${kitID}/replacement`, { reason: marks.word('notes') }))
}

/** Somebody of the operator enters the business, for a reason that names a person. */
export async function visited({ url, live, marks, run }: Journey) {
  const made = JSON.parse(
    await run('user', 'create', '--email', 'staff@operator.example', '--role', 'operator', '--json'),
  )
  const { password } = made
  const signedIn = right(await caller(url).post('/session', { email: 'staff@operator.example', password }))
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  const staff = caller(url, undefined, { session: { cookie }, prefix: '/operator/v1' })
  const { business } = right(await live.get('/verify-token')).body
  const reason = `${marks.word('notes')} misses a report`
  right(await staff.post(`/businesses/${business.id}/support-accesses`, { reason }))
}
