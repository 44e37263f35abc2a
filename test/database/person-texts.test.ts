import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveKit } from '../../src/modules/kits/move.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { CORE } from '../harness/orders.ts'
import { recipients } from '../harness/recipients.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const HOUR_MS = 3_600_000
const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
const own = {
  what: 'The sugar in your blood, said by this laboratory.',
  moves: 'Breakfast.',
  ask: ['Was I fasting?'],
  source: 'A handbook of this laboratory',
  reviewer: 'Dr. Amara Osei',
}
let world: World
let clinic: TestBusiness
let owner: Client
let operator: Operator
let at: ReturnType<typeof recipients>

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  at = recipients(world)
  owner = await world.owner()
  clinic = await world.business({ name: 'Harbor Clinic', credits: 100 })
  operator = await operatorWith(world, ['catalogue'])
})
afterAll(() => world.stop())

async function enter(email: string) {
  const [link = ''] = await at.linksTo(email)
  return at.enter(link)
}

describe('what a person reads about a biomarker', () => {
  it('is the text of the catalogue that judged the report, and a later text changes new reports only', async () => {
    await operator('POST', '/range-signatures', { laboratory: 'Acme', director: 'Dr. A', biomarkers: ['glucose'] })
    const [first, second] = [await at.newKit(clinic), await at.newKit(clinic)]
    const { email } = await at.register(first)
    await at.register(second, { email })
    const before = await at.report(clinic, first, { glucose: 141, hdl: 60, ldl: 90 })
    await at.release(clinic, before)
    const [current] = (await operator('GET', '/biomarkers/glucose/texts')).body
    const version = current.version + 1
    const written = await operator('POST', '/biomarkers/glucose/texts', { reason: 'Reviewed', text: own })
    expect(written).toMatchObject({ status: 200, body: { version, reason: 'Reviewed', text: own } })
    const after = await at.report(clinic, second, { glucose: 92 })
    await at.release(clinic, after)
    const { who } = await enter(email)
    const [old, now] = [await who.open(`/r/reports/${before}`), await who.open(`/r/reports/${after}`)]
    expect(old.text).toContain('Your body keeps it within narrow limits with insulin')
    expect(old.text).not.toContain(own.what)
    expect(now.text).toContain(own.what)
    expect(now.text).toContain('A handbook of this laboratory. Reviewed by Dr. Amara Osei')
    expect(now.text).toContain('What changed since')
    const { customerID } = (await clinic.live.get(`/kits?kitID=${second}`)).body[0]
    const { biomarker } = (await clinic.live.get(`/customers/${customerID}/reports/${after}`)).body
    expect(biomarker[0]).toMatchObject({ id: 'glucose', textVersion: version, text: own, rangesSigned: true })
    // A ratio has no text, and so no heading.
    const ratio = old.html.slice(old.html.indexOf('id="value-ldl_hdl_ratio"'))
    expect(ratio.slice(0, ratio.indexOf('</details></div></details>'))).not.toContain('What it is')
  })

  it('is kept in versions with the reason, and says that no clinician reviewed what came with the program', async () => {
    const { body } = await operator('GET', '/biomarkers/ldl/texts')
    expect(body[0]).toMatchObject({ reason: 'reference data', text: { reviewer: null } })
    expect(body.at(-1).version).toBe(1)
    expect((await operator('GET', '/biomarkers/moon_dust/texts')).text).toContain('BIOMARKER_NOT_FOUND')
    expect((await operator('GET', '/panels/MOON/texts')).text).toContain('PANEL_NOT_FOUND')
  })
})

describe('before the results', () => {
  it('a person reads what to do before the sample and how it is taken, in the words of the catalogue', async () => {
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    const steps = [{ picture: 'sample', text: 'Prick the side of your ring finger.' }]
    const text = { steps, source: 'The leaflet of 2026', reviewer: null }
    expect((await operator('POST', `/panels/${CORE}/texts`, { reason: 'A new lancet', text })).status).toBe(200)
    expect((await operator('GET', `/panels/${CORE}/texts`)).body[0]).toMatchObject({ reason: 'A new lancet', text })
    const { home } = await enter(email)
    expect(home.text).toContain('Do not eat for 8 to 12 hours before. Drink water only. It matters for blood sugar')
    expect(home.text).toContain('Take it in the morning')
    expect(home.text).toContain('Prick the side of your ring finger.')
    expect(home.html).toContain('<svg class="picture"')
  })

  it('“I posted it” is stored with its time and sent to the business, and moves nothing', async () => {
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    const { who, home } = await enter(email)
    const posted = await who.submit(home)
    expect(posted.text).toContain('You posted your sample You told us on 20 Nov 2026.')
    expect(posted.text).not.toContain('How to take it')
    const { body } = await clinic.live.get(`/kits/${kitId}`)
    expect(body.kit).toMatchObject({ postedDate: clock.now().toISOString(), sampleStatus: 'awaitingCollection' })
    const { rows } = await owner.query(
      `select action from audit_entries where object_id = $1 and action like '%posting%'`,
      [kitId],
    )
    expect(rows).toEqual([{ action: 'kit.posting_said' }])
  })

  it('a date is given only from 20 reports of the panel in 90 days, as half and nine of ten of them took', async () => {
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    const { who, home } = await enter(email)
    expect(home.text).toContain('too few reports of this kit in the last 90 days to give an honest date')
    const { body } = await clinic.live.post('/create-order', {
      recipient: { first_name: 'A', last_name: 'B', email: 'many@example.test', address: recipientAddress },
      kit_types: [{ kitType: CORE, quantity: 20 }],
    })
    // The reports of 20 others: 16 took 2 days, 4 took 6.
    await owner.query(
      `with taken as (
         update kits k set progress = progress || jsonb_build_object('sampleReceived', to_char(($2::timestamptz - case
             when n.row <= 16 then interval '2 days' else interval '6 days' end) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
         from (select realm_id, id, row_number() over (order by id) as row from kits where order_id = $1) n
         where k.realm_id = n.realm_id and k.id = n.id returning k.realm_id, k.id)
       insert into reports (realm_id, id, customer_id, kit_id, status, vendor_status, version, published_at, created_at)
       select t.realm_id, 'R' || t.id, c.id, t.id, 'published', 'final', 1, $2, $2
       from taken t cross join lateral (select id from customers c where c.realm_id = t.realm_id limit 1) c`,
      [body.orderId, clock.now()],
    )
    clock.advance(HOUR_MS)
    expect((await who.open('/r')).text).toContain('Please open the link')
    const { home: later } = await enter(email)
    expect(later.text).toContain('Your report is likely to be ready between 22 Nov 2026 and 26 Nov 2026.')
    clock.advance(7 * 24 * HOUR_MS)
    expect((await enter(email)).home.text).toContain('It takes longer than usual')
  })

  it('a day is promised where the operator promises one of the panel, and a broken promise is said', async () => {
    const promise = (promisedDays: number | null) => operator('PATCH', `/panels/${CORE}`, { promisedDays })
    expect((await promise(5)).status).toBe(200)
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    expect((await enter(email)).home.text).toContain('the report is promised within 5 days')
    await at.inRealm(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    await promise(null)
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    const last = day.format(new Date(clock.now().getTime() + 5 * 24 * HOUR_MS))
    expect((await enter(email)).home.text).toContain(`Your report is promised by ${last}.`)
    clock.advance(6 * 24 * HOUR_MS)
    expect((await enter(email)).home.text).toContain(`Your report was promised by ${last}, and is late.`)
  })
})

const recipientAddress = { street1: '1 Main Street', city: 'Springfield', state: 'IL', zip: '62701' }
