import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { translatorOf } from '../../src/domain/translations/translator.ts'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { render } from '../../src/modules/emails/layout.ts'
import type { ListedEmail } from '../../src/modules/emails/list-queries.ts'
import { find, list } from '../../src/modules/emails/service.ts'
import * as templates from '../../src/modules/emails/templates.ts'
import { type Move, moveKit, moveKits } from '../../src/modules/kits/move.ts'
import { replaceKit } from '../../src/modules/kits/replace.ts'
import { publishReviewedReport } from '../../src/modules/reports/versions/publish.ts'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import type { Tx } from '../../src/platform/database/tx.ts'
import { commandLine } from '../harness/command-line.ts'
import { dueNow } from '../harness/due-now.ts'
import { address, anOrder, aRow, CORE } from '../harness/orders.ts'
import { closedPort } from '../harness/receivers.ts'
import { type MailServer, parseMail, startMailServer } from '../harness/smtp.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const PUBLIC_URL = 'https://kits.example.test'
let server: MailServer
let world: World
beforeAll(async () => {
  server = await startMailServer()
  world = await ownWorld('has a mail server', {
    smtpUrl: server.url,
    publicUrl: PUBLIC_URL,
  })
})
afterAll(async () => {
  await world.stop()
  await server.stop()
})

const ada = { first_name: 'Ada', last_name: 'Example', address }
let people = 0
let email: string
beforeEach(() => {
  email = `ada${++people}@example.test`
})
const order = (changes: Record<string, unknown> = {}) =>
  anOrder({ recipient: { ...ada, email }, isNotifyReceiver: true, ...changes })

const to = (recipient: string) => server.received.filter((mail) => mail.to.includes(recipient))
const patience = { interval: 50 }

/** Waits for this many e-mails to an address and returns their subjects. */
async function subjects(recipient: string, count: number): Promise<(string | undefined)[]> {
  await expect.poll(() => to(recipient).length, patience).toBe(count)
  return to(recipient).map(({ raw }) => parseMail(raw).headers.get('subject'))
}

async function mailTo(recipient: string) {
  await expect.poll(() => to(recipient).length, patience).toBe(1)
  return parseMail(to(recipient)[0]?.raw ?? '')
}

const listed = (where: World, recipient: string): Promise<ListedEmail[]> =>
  where.service.database.asSystem(
    { name: 'test' },
    async (tx) => (await list(tx, { recipient, page: 0, size: 100 })).emails,
  )

async function emailHandled(where: World, recipient: string): Promise<ListedEmail | undefined> {
  const states = async () => {
    await dueNow(where, 'emails.send')
    return (await listed(where, recipient)).map((one) => one.status)
  }
  await expect.poll(states, patience).not.toContain('queued')
  return (await listed(where, recipient))[0]
}

async function inLive<T>(clinic: TestBusiness, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { live } = await world.service.database.asSystem({ name: 'test' }, (tx) => realmsOf(tx, clinic.id))
  return world.service.database.inRealm(live, { name: 'operator' }, work)
}

async function ordered(clinic: TestBusiness, changes: Record<string, unknown> = {}) {
  const { status, body, text } = await clinic.live.post('/create-order', order(changes))
  expect(status, text).toBe(201)
  const { kits } = (await clinic.live.get(`/orders/${body.orderId}`)).body
  return { orderId: body.orderId as string, kitId: kits[0].kitID as string }
}

const person = (changes: Record<string, unknown> = {}) => ({
  firstName: 'Grace',
  lastName: 'Tester',
  email: `grace${people}@example.test`,
  dateOfBirth: '1980-02-29',
  sex: 'F',
  ...changes,
})

describe('an order with isNotifyReceiver', () => {
  it('a new version of a published report is announced as corrected or completed, once, and never as a new report', async () => {
    const clinic = await world.business({ credits: 5 })
    const { body } = await clinic.live.post('/create-order', order())
    const [{ kitID: kitId }] = (await clinic.live.get(`/orders/${body.orderId}`)).body.kits
    const who = {
      firstName: 'Grace',
      lastName: 'Tester',
      email: `grace-c${people}@example.test`,
      dateOfBirth: '1980-01-02',
      sex: 'F',
    }
    await clinic.live.post(`/kits/${kitId}/register`, who)
    const receive = (value: number, biomarkerId = 'ldl') =>
      inLive(clinic, (tx) => receiveResults(tx, { kitId, results: [{ biomarkerId, value, unit: 'mg/dL' }] }))
    const { reportId } = await receive(187.5)
    await inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    expect((await subjects(who.email, 2)).sort()).toEqual(['Your kit is registered', 'Your report is ready'])
    await receive(181)
    expect((await subjects(who.email, 3)).at(-1)).toBe('Your report was corrected')
    await receive(55, 'hdl')
    expect((await subjects(who.email, 4)).at(-1)).toBe('There are more results in your report')
    // The same once more says nothing new.
    await receive(55, 'hdl')
    await receive(182)
    expect((await subjects(who.email, 5)).at(-1)).toBe('Your report was corrected')
  })

  it('tells its recipient, in text and HTML, in the name of the business', async () => {
    const clinic = await world.business({ name: 'Rainbow Clinic' })
    const change = {
      brandColor: '#FFCC00',
      logoUrl: 'https://example.com/l.png?a=1&b=2',
      contactEmail: 'help@rainbow.test',
    }
    const settings = await clinic.live.request('PATCH', '/settings', change)
    expect(settings.body).toMatchObject({ ...change, brandColor: '#ffcc00' })
    const { orderId } = await ordered(clinic)
    const { headers, text, html } = await mailTo(email)
    expect(headers.get('subject')).toBe(`Your order ${orderId} is placed`)
    expect(headers.get('from')).toBe('Rainbow Clinic <no-reply@kits.example.test>')
    expect(headers.get('to')).toBe(email)
    expect(headers.get('reply-to')).toBe('help@rainbow.test')
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('message-id')).toMatch(/^<mail_\w{22}@kits\.example\.test>$/)
    for (const part of [text, html]) {
      expect(part).toContain('Hello Ada,')
      expect(part).toContain(orderId)
      expect(part).toContain('help@rainbow.test')
    }
    expect(html).toContain('src="https://example.com/l.png?a=1&amp;b=2" alt="Rainbow Clinic"')
    expect(html).toContain('background:#ffcc00;color:#000000')
    expect(text).not.toMatch(/<|&amp;/)
    expect(to(email)[0]?.from).toBe('no-reply@kits.example.test')
    expect(await emailHandled(world, email)).toMatchObject({ status: 'sent', attempts: 1, lastError: null, orderId })
  })

  it('tells the recipient to the end, about the box only, and the person tested from the registration on', async () => {
    const clinic = await world.business()
    const { orderId, kitId } = await ordered(clinic)
    const leg = { carrier: 'UPS', trackingNumber: '1Z999', date: '2026-01-15T12:00:00.000Z' }
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'kitPreparing'))
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'kitInTransit', { shipment: { toUser: leg } }))
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'kitDelivered'))
    await subjects(email, 4)
    const given = person()
    expect((await clinic.live.post(`/kits/${kitId}/register`, given)).status).toBe(200)
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'sampleInTransit'))
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'sampleReceived'))
    const results = [{ biomarkerId: 'ldl', value: 187.5, unit: 'mg/dL' }]
    const { reportId } = await inLive(clinic, (tx) => receiveResults(tx, { kitId, results }))
    await subjects(given.email, 2)
    await inLive(clinic, (tx) => publishReviewedReport(tx, reportId))
    expect(new Set(await subjects(email, 8))).toEqual(
      new Set([
        ...['The kit that you received is done', 'The kit that you received is registered'],
        ...['The sample of your kit has reached the laboratory', 'The sample of your kit is on its way'],
        ...['Your kit has arrived', 'Your kit is being packed', 'Your kit is on its way'],
        `Your order ${orderId} is placed`,
      ]),
    )
    const notice = to(email)
      .map(({ raw }) => parseMail(raw).text)
      .join('\n')
    expect(notice).not.toMatch(/Grace|Tester|\/r\/|grace\d+@/)
    expect((await subjects(given.email, 3)).sort()).toEqual([
      'Your kit is registered',
      'Your report is ready',
      'Your sample has reached the laboratory',
    ])
    const bodies = [...to(email), ...to(given.email)].map(({ raw }) => parseMail(raw))
    expect(bodies.some(({ text }) => text.includes('Tracking number: 1Z999') && text.includes('Carrier: UPS'))).toBe(
      true,
    )
    // A link is random: any word may stand in it. So is the number of an order: any number may stand inside.
    const content = bodies
      .map(({ text, html, headers }) => [text, html, ...headers.values()].join('\n'))
      .join('\n')
      .replace(/\/r\/[\w-]{43}/g, '')
    expect(content).not.toMatch(/\b(ldl\b|187\b|1980\b|cholesterol|mg\/dL|biomarker|hormone|optimal|score|Female)/i)
    expect(content).not.toContain(CORE)
    expect(content).toContain('Hello Grace,')
  })

  it('tells a recipient who is tested by one e-mail, the one with their link', async () => {
    const clinic = await world.business()
    const { kitId } = await ordered(clinic)
    const given = person({ email: email.toUpperCase() })
    expect((await clinic.live.post(`/kits/${kitId}/register`, given)).status).toBe(200)
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'sampleRejected'))
    const all = async () => (await listed(world, email)).map(({ kind }) => kind)
    await expect
      .poll(async () => (await all()).sort(), patience)
      .toEqual(['kit_registered', 'order_placed', 'sample_rejected'])
  })

  it('greets nobody by name at an address whose registration is in doubt', async () => {
    const clinic = await world.business()
    const { kitId } = await ordered(clinic)
    const shared = person()
    expect((await clinic.live.post(`/kits/${kitId}/register`, shared)).status).toBe(200)
    const other = await ordered(clinic)
    const doubtful = { ...shared, firstName: 'Zed', lastName: 'Quill', dateOfBirth: '2001-02-03' }
    expect((await clinic.live.post(`/kits/${other.kitId}/register`, doubtful)).status).toBe(200)
    await subjects(shared.email, 2)
    const mails = to(shared.email).map(({ raw }) => parseMail(raw))
    const doubt = mails.find(
      ({ headers }) => headers.get('subject') === 'We need to check the registration of your kit',
    )
    expect(doubt?.text).toContain(other.kitId)
    expect(doubt?.text).not.toMatch(/Zed|Quill|Grace|\/r\//)
  })

  it('gives the person tested a link to their pages, which is kept nowhere once the e-mail is sent', async () => {
    const clinic = await world.business()
    const { kitId } = await ordered(clinic)
    const given = person()
    expect((await clinic.live.post(`/kits/${kitId}/register`, given)).status).toBe(200)
    const { text, html } = await mailTo(given.email)
    const link = /https?:\/\/\S+\/r\/[\w-]{43}/.exec(text)?.[0] ?? ''
    expect(link).toContain(PUBLIC_URL)
    expect(html).toContain(`href="${link}"`)
    expect((await fetch(link.replace(PUBLIC_URL, world.service.url))).status).toBe(200)
    const sent = await emailHandled(world, given.email)
    expect(sent).toMatchObject({ status: 'sent' })
    const kept = await world.service.database.asSystem({ name: 'test' }, (tx) => find(tx, sent?.id ?? ''))
    expect(kept.text).toContain('/r/the-rest-is-not-shown')
    expect(kept.text + kept.html).not.toContain(link.slice(-43))
  })

  it('tells of a rejected sample, a held up parcel, a replacement and a cancellation', async () => {
    const clinic = await world.business()
    const { kitId } = await ordered(clinic)
    await inLive(clinic, (tx) => moveKit(tx, kitId, 'deliveryException', { reason: 'hemolysed' }))
    await inLive(clinic, (tx) => replaceKit(tx, kitId, 'lost'))
    const other = await ordered(clinic)
    await inLive(clinic, (tx) => moveKit(tx, other.kitId, 'sampleRejected', { reason: 'hemolysed' }))
    const canceled = await ordered(clinic)
    expect((await clinic.live.post(`/orders/${canceled.orderId}/cancel`)).status).toBe(200)
    const found = await subjects(email, 7)
    expect(found).toEqual(
      expect.arrayContaining([
        'A parcel with your kit is held up',
        'A replacement kit is being prepared',
        'The sample of your kit could not be used',
        `Your order ${canceled.orderId} is canceled`,
      ]),
    )
    expect(
      to(email)
        .map(({ raw }) => parseMail(raw).text)
        .join(),
    ).not.toContain('hemolysed')
  })

  it('tells once it is paid, when it had to wait for that', async () => {
    const clinic = await world.business({ credits: 0 })
    await clinic.live.request('PATCH', '/settings', { insufficientCredits: 'pending' })
    const { body } = await clinic.live.post('/create-order', order())
    expect([body.pending, await listed(world, email)]).toEqual([true, []])
    await world.grant(clinic, CORE, 1)
    expect((await clinic.live.post(`/orders/${body.orderId}/pay`, { paymentMethod: 'credits' })).status).toBe(200)
    expect(await subjects(email, 1)).toEqual([`Your order ${body.orderId} is placed`])
  })

  it('writes as many e-mails as a bulk order has rows, each once', async () => {
    const clinic = await world.business()
    const rows = Array.from({ length: 20 }, () => aRow({ email }))
    const answer = await clinic.live.post('/create-order', { bulkUploadData: rows, isNotifyReceiver: true })
    expect(answer.status, answer.text).toBe(202)
    expect(new Set(await subjects(email, 20)).size).toBe(20)
    await emailHandled(world, email)
    expect(to(email)).toHaveLength(20)
  })

  it('costs as many statements for fifty kits as for one', async () => {
    const clinic = await world.business()
    const { body } = await clinic.live.post('/create-order', order({ kit_types: [{ kitType: CORE, quantity: 51 }] }))
    const { kits } = (await clinic.live.get(`/orders/${body.orderId}`)).body
    const moves = kits.map(({ kitID }: { kitID: string }): Move => ({ kitId: kitID, to: 'kitInTransit' }))
    const count = (some: Move[]) =>
      inLive(clinic, async (tx) => {
        let statements = 0
        const { query } = tx.client
        const counting = (...given: unknown[]) => {
          statements++
          return Reflect.apply(query, tx.client, given)
        }
        Object.assign(tx.client, { query: counting })
        await moveKits(tx, some).finally(() => Object.assign(tx.client, { query }))
        return statements
      })
    expect(await count(moves.slice(1))).toBe(await count(moves.slice(0, 1)))
  })
})

it('an order without isNotifyReceiver tells nobody', async () => {
  const clinic = await world.business()
  const { kitId } = await ordered(clinic, { isNotifyReceiver: false })
  await inLive(clinic, (tx) => moveKit(tx, kitId, 'kitDelivered'))
  expect(await listed(world, email)).toEqual([])
})

it('the sandbox sends nothing; what it would have sent is kept, until the order is removed', async () => {
  const clinic = await world.business()
  const { body } = await clinic.sandbox.post('/create-order', order())
  const kept = await listed(world, email)
  expect(kept).toMatchObject([{ status: 'kept', mode: 'sandbox', kind: 'order_placed', attempts: 0 }])
  const shown = await world.service.database.asSystem({ name: 'test' }, (tx) => find(tx, kept[0]?.id ?? ''))
  expect(shown.text).toContain('Hello Ada,')
  const { kits } = (await clinic.sandbox.get(`/orders/${body.orderId}`)).body
  expect(kits).toHaveLength(1)
  const removed = await clinic.sandbox.request('DELETE', `/sandbox/orders/${body.orderId}`)
  expect(removed.status, removed.text).toBeLessThan(300)
  expect(await listed(world, email)).toEqual([])
  await clinic.sandbox.post('/create-order', order())
  expect((await clinic.sandbox.post('/sandbox/reset')).status).toBe(200)
  expect(await listed(world, email)).toEqual([])
  expect(to(email)).toEqual([])
})

describe('what people typed', () => {
  it('is never HTML, a header or another line', async () => {
    const name = '<script>alert(1)</script> & "Co" Bcc: thief@evil.test'
    const clinic = await world.business({ name })
    await clinic.live.request('PATCH', '/settings', { contactEmail: 'help@script.test' })
    const lines = { ...ada, email, first_name: name.replace(' Bcc', '\r\nBcc') }
    expect((await clinic.live.post('/create-order', order({ recipient: lines }))).status).toBe(400)
    await ordered(clinic, { recipient: { ...ada, email, first_name: name } })
    const { headers, html, text } = await mailTo(email)
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot; Bcc: thief@evil.test')
    expect(text).toContain('Hello <script>alert(1)</script> & "Co" Bcc: thief@evil.test,')
    expect([...headers.keys()]).not.toContain('bcc')
    expect(server.received.flatMap((mail) => mail.to)).not.toContain('thief@evil.test')
  })

  it('may be of any script', async () => {
    const clinic = await world.business({ name: 'Klinik Grünwald 健康 🧪' })
    await ordered(clinic, { recipient: { ...ada, email, first_name: 'Zoë 王' } })
    const { headers, html, text } = await mailTo(email)
    expect(headers.get('from')).toContain('Klinik Grünwald 健康 🧪')
    for (const part of [text, html]) expect(part).toContain('Hello Zoë 王,')
  })

  it('cannot turn the direction of a text, and every template survives it', () => {
    const evil = '\u202e<b>\0\u2028\r\nX: y'
    const brand = { name: evil, color: null, logoUrl: null, contactEmail: null }
    const parcel = { carrier: evil, trackingNumber: evil }
    const t = translatorOf('en')
    const samples = [
      ...[
        templates.orderPlaced(evil, 2)(t),
        templates.kitShipped(evil, parcel)(t),
        templates.kitReplaced(evil, evil)(t),
      ],
      ...[templates.creditsLow(evil, 1, 2), templates.endpointDisabled(evil, evil)],
    ]
    for (const sample of samples) {
      const { subject, text, html } = render(sample, brand, { name: evil })
      expect(subject).not.toMatch(/[\r\n\0\u202e]/)
      expect(text + html).not.toMatch(/\0|\u202e|\u2028|\r|^X: y/m)
      expect(html).not.toContain('<b>')
    }
  })
})

describe('the mail server', () => {
  it('that refuses an e-mail for good is not asked again', async () => {
    const clinic = await world.business()
    server.faults.push({ at: 'rcpt', code: 550 })
    const before = server.tries()
    await ordered(clinic)
    expect(await emailHandled(world, email)).toMatchObject({ status: 'failed', attempts: 1, lastError: 'smtp_550' })
    expect([server.tries() - before, to(email)]).toEqual([1, []])
    expect(world.logged.join('')).not.toContain(email)
  })

  it('that is busy is asked again, and takes it once', async () => {
    const clinic = await world.business()
    server.faults.push({ at: 'data', code: 451 })
    await ordered(clinic)
    expect(await emailHandled(world, email)).toMatchObject({ status: 'sent', attempts: 2, lastError: null })
    expect(to(email)).toHaveLength(1)
  })

  it('that takes an e-mail and dies before it says so gets it again under the same Message-ID', async () => {
    const clinic = await world.business()
    server.faults.push({ at: 'answer' })
    await ordered(clinic)
    expect(await emailHandled(world, email)).toMatchObject({ status: 'sent', attempts: 2 })
    const both = to(email).map(({ raw }) => parseMail(raw))
    expect(both).toHaveLength(2)
    const same = ({ headers, text, html }: (typeof both)[number]) => [
      headers.get('message-id'),
      headers.get('date'),
      text,
      html,
    ]
    expect(both.map(same)[0]).toEqual(both.map(same)[1])
  })

  it('that is away gets every e-mail once when it is back', async () => {
    const port = await closedPort()
    const other = await ownWorld('has a mail server', {
      smtpUrl: `smtp://127.0.0.1:${port}?from=kits%40sender.test`,
    })
    try {
      const clinic = await other.business()
      await clinic.live.post('/create-order', order())
      await expect.poll(async () => (await listed(other, email))[0]?.attempts, patience).toBeGreaterThan(0)
      expect((await listed(other, email))[0]).toMatchObject({ status: 'queued' })
      const late = await startMailServer(port)
      try {
        expect(await emailHandled(other, email)).toMatchObject({ status: 'sent' })
        expect(late.received).toHaveLength(1)
        const { headers } = parseMail(late.received[0]?.raw ?? '')
        expect(headers.get('from')).toContain('kits@sender.test')
        expect(headers.get('message-id')).toMatch(/@\[127\.0\.0\.1\]>$/)
      } finally {
        await late.stop()
      }
    } finally {
      await other.stop()
    }
  })

  it('that is not there at all leaves every e-mail kept', async () => {
    const other = await ownWorld('has no mail server')
    try {
      const clinic = await other.business()
      await clinic.live.post('/create-order', order())
      expect(await emailHandled(other, email)).toMatchObject({ status: 'kept', attempts: 0, mode: 'live' })
    } finally {
      await other.stop()
    }
  })

  it('gets an e-mail from the next worker, when one died while sending it', async () => {
    const clinic = await world.business()
    await ordered(clinic)
    await emailHandled(world, email)
    const owner = await world.owner()
    await owner.query(`set kitlane.reads_sealed = 'on'`)
    const sent = (await listed(world, email))[0]?.id
    const asIf = `update emails set status = 'queued', sent_at = null, claimed_at = now() - $2::interval where id = $1`
    const again = () =>
      inLive(clinic, async (tx) => {
        const [left] = await listed(world, email)
        await tx.enqueue('emails.send', { realm: tx.realm, emailIds: [left?.id] })
      })
    await owner.query(asIf, [sent, '10 seconds'])
    await again()
    await expect.poll(() => world.logged.join('').includes('"code":"claimed"'), patience).toBe(true)
    expect(to(email)).toHaveLength(1)
    await owner.query(asIf, [sent, '2 minutes'])
    await again()
    expect(await emailHandled(world, email)).toMatchObject({ status: 'sent', attempts: 2 })
  })

  it('gets an e-mail once, however often its job runs at the same time', async () => {
    const clinic = await world.business()
    await ordered(clinic)
    const [queued] = await listed(world, email)
    await inLive(clinic, async (tx) => {
      for (let i = 0; i < 8; i++) await tx.enqueue('emails.send', { realm: tx.realm, emailIds: [queued?.id] })
    })
    expect(await emailHandled(world, email)).toMatchObject({ status: 'sent' })
    const owner = await world.owner()
    await owner.query('reset role')
    const open = async () => {
      await dueNow(world, 'emails.send')
      return openJobs(owner)
    }
    await expect.poll(open, patience).toBe(0)
    expect(to(email)).toHaveLength(1)
  })
})

const openJobs = async (owner: Awaited<ReturnType<World['owner']>>): Promise<number> => {
  const { rows } = await owner.query(
    `select count(*)::int as open from pgboss.job where name = 'emails.send' and state in ('created', 'active', 'retry')`,
  )
  return rows[0].open
}

describe('low credits', () => {
  const lowEvents = async (clinic: TestBusiness) => {
    const owner = await world.owner()
    const { rows } = await owner.query(
      `select e.data from events e join realms r on r.id = e.realm_id
       where r.business_id = $1 and e.type = 'credits.low' order by e.position`,
      [clinic.id],
    )
    return rows.map((row) => row.data)
  }

  it('are sent to the business once for each time they fall below the threshold', async () => {
    const clinic = await world.business({ credits: 3 })
    const contact = `office${people}@example.test`
    await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: 2, contactEmail: contact })
    const one = () => clinic.live.post('/create-order', anOrder())
    await one()
    expect(await lowEvents(clinic)).toEqual([])
    await one()
    await one()
    expect(await lowEvents(clinic)).toEqual([{ type: CORE, credits: 1, threshold: 2 }])
    await world.grant(clinic, CORE, 5)
    await world.grant(clinic, CORE, -4)
    expect(await lowEvents(clinic)).toEqual([
      { type: CORE, credits: 1, threshold: 2 },
      { type: CORE, credits: 1, threshold: 2 },
    ])
    const found = await subjects(contact, 2)
    expect(found).toEqual(Array(2).fill(`Credits of ${CORE} are running low`))
    expect(parseMail(to(contact)[0]?.raw ?? '').text).toContain('Credits left: 1')
  })

  it('are an event only, where the business gave no address', async () => {
    const clinic = await world.business({ credits: 1 })
    await clinic.live.request('PATCH', '/settings', { lowCreditThreshold: 1 })
    await clinic.live.post('/create-order', anOrder())
    expect(await lowEvents(clinic)).toHaveLength(1)
  })
})

it('the e-mails to a person are gone when the person is erased', async () => {
  const clinic = await world.business()
  const { kitId } = await ordered(clinic)
  const { body } = await clinic.live.post(`/kits/${kitId}/register`, person({ email: email.toUpperCase() }))
  await emailHandled(world, email)
  expect((await listed(world, email)).length).toBeGreaterThan(1)
  expect((await clinic.live.request('DELETE', `/customers/${body.customerId}`)).status).toBe(200)
  expect(await listed(world, email)).toEqual([])
})

it('the command line lists and shows what was written', async () => {
  const clinic = await world.business()
  await clinic.sandbox.post('/create-order', order())
  const cli = await commandLine(world.urls.owner, world.encryptionKey)
  try {
    const { total, emails } = await cli.json('email', 'list', '--business', clinic.id, '--status', 'kept')
    expect([total, emails[0]]).toMatchObject([1, { to: email, mode: 'sandbox', kind: 'order_placed' }])
    const shown = await cli.run('email', 'show', '--email', emails[0].id)
    expect(shown.stdout).toMatch(
      new RegExp(`^To: ${email}\\nSubject: Your order .*\\nStatus: kept\\n\\nYour order is placed`),
    )
    expect(await cli.refusal('email', 'show', '--email', 'mail_none')).toMatch(/no such e-mail/)
  } finally {
    await cli.close()
  }
})

it('the audit says that a contact address was set, not which', async () => {
  const clinic = await world.business()
  for (const office of ['secret-office', 'other-office'])
    await clinic.live.request('PATCH', '/settings', { contactEmail: `${office}@example.test` })
  const owner = await world.owner()
  const { rows } = await owner.query(
    `select details from audit_entries where action = 'settings.changed' and object_id = $1 order by id`,
    [clinic.id],
  )
  expect(rows.map(({ details }) => details)).toEqual([
    { contactEmail: 'set', before: { contactEmail: null } },
    { contactEmail: 'set', before: { contactEmail: 'set' } },
  ])
})

it.each([
  { brandColor: 'red' },
  { brandColor: '#12345' },
  { logoUrl: 'http://example.com/l.png' },
  { logoUrl: 'javascript:alert(1)' },
  { contactEmail: 'nobody' },
])('the settings refuse %j', async (change) => {
  const clinic = await world.business()
  const { status, body } = await clinic.live.request('PATCH', '/settings', change)
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
})
