import type { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../src/platform/clock.ts'
import { person as aPerson, signIn } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { readPdf } from '../harness/reports.ts'
import { type VisitedPage, visitor } from '../harness/visitor.ts'
import { ownWorld, type TestBusiness, type World } from '../harness/world.ts'

const DAY_MS = 86_400_000
const clock = manualClock(new Date('2026-11-20T12:00:00.000Z'))
const born = { day: '9', month: '12', year: '1956' }
let world: World
let clinic: TestBusiness
let owner: Client
let at: ReturnType<typeof recipients>
let reportId: string
let email: string
let person: Awaited<ReturnType<typeof at.enter>>['who']

beforeAll(async () => {
  world = await ownWorld('sets the clock', {}, { clock })
  at = recipients(world)
  owner = await world.owner()
  clinic = await world.business({ name: 'Harbor Clinic' })
  const kitId = await at.newKit(clinic)
  email = (await at.register(kitId)).email
  reportId = await at.report(clinic, kitId, { glucose: 141, ldl: 187, hdl: 60 })
  await at.release(clinic, reportId)
  const [link = ''] = await at.linksTo(email)
  person = (await at.enter(link)).who
})
afterAll(() => world.stop())

const sharing = () => person.open(`/r/reports/${reportId}/share`)

/** Makes a link as the person does, and reads it from the page. */
async function share(forWhom: string, days = '7'): Promise<{ page: VisitedPage; path: string }> {
  const page = await person.submit(await sharing(), { forWhom, days })
  const [, url = ''] = /readonly value="([^"]*)"/.exec(page.html) ?? []
  return { page, path: new URL(url).pathname }
}

/** The visits of earlier tests have ended where one let days pass. */
async function enterAgain(): Promise<void> {
  const [link = ''] = await at.linksTo(email)
  person = (await at.enter(link)).who
}

async function open(path: string, date: Record<string, string> = born) {
  const doctor = visitor(world.service.url)
  const gate = await doctor.open(path)
  return { doctor, gate, shown: gate.html.includes('<form') ? await doctor.submit(gate, date) : gate }
}

describe('a report shared with a doctor', () => {
  it('is read with its PDF by the link and the date of birth, says for whom and until when, and shows nothing else', async () => {
    const { page, path } = await share('Dr. Jones')
    expect(page.text).toContain('The link for Dr. Jones is ready')
    const { doctor, gate, shown } = await open(path)
    expect(gate.path).toBe('/s')
    expect(gate.text).not.toContain('187')
    expect(shown.text).toContain('shared this report with Dr. Jones. It can be read until 27 Nov 2026.')
    expect(shown.text).toContain('Two of 4 values are outside their normal range')
    for (const [name, value] of [
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ['x-robots-tag', 'noindex, nofollow'],
    ] as const) {
      expect(shown.headers.get(name)).toBe(value)
    }
    expect(shown.html).not.toMatch(/href="\/r/)
    expect((await doctor.open(`/s/reports/${reportId}/pdf`)).headers.get('content-type')).toBe('application/pdf')
    for (const closed of ['/r', `/r/reports/${reportId}`, `/r/reports/${reportId}/share`]) {
      expect((await doctor.open(closed)).text).toContain('Please open the link in your e-mail')
    }
    expect((await sharing()).text).toContain('Last opened on 20 Nov 2026')
    const { rows: found } = await owner.query('select customer_id from reports where id = $1', [reportId])
    const admin = (await signIn(world, await aPerson(world, 'business-admin', clinic))).in(clinic)
    const { data } = (await admin.get(`/customers/${found[0].customer_id}/accesses`)).body
    const who = { kind: 'person', role: 'somebody with a link that the person made' }
    expect(data).toContainEqual(expect.objectContaining({ who, data: 'report', did: 'read' }))
    const { rows } = await owner.query(
      `select action, actor like 'share:%' as "byLink" from audit_entries where object_id = $1 and (action like 'report.share%' or actor like 'share:%') order by id`,
      [reportId],
    )
    expect(rows).toEqual([
      { action: 'report.shared', byLink: false },
      { action: 'report.viewed', byLink: true },
      { action: 'report.viewed', byLink: true },
    ])
  })

  it('opens with neither half: the secret is no link to all pages, and of a visit no other’s cookie', async () => {
    const { path } = await share('Dr. Half')
    expect((await open(path.replace('/s/', '/r/'))).gate.status).toBe(404)
    const { doctor, shown } = await open(path, { ...born, year: '1957' })
    expect(shown.text).toContain('This is not the date')
    expect((await doctor.open(`/s/reports/${reportId}`)).text).not.toContain('187')
    const { doctor: visiting } = await open(path)
    for (const [name, value] of [...visiting.cookies]) visiting.cookies.set(name.replace('guest', 'reader'), value)
    expect((await visiting.open('/r')).text).toContain('Please open the link in your e-mail')
    const { rows } = await owner.query(`select encode(hash, 'escape') as hash from personal_links`)
    expect(JSON.stringify(rows)).not.toContain(path.slice(3))
  })

  it('ends at once when the person ends the link, also for a person who is reading, and by itself on its last day', async () => {
    const { path } = await share('Dr. Brief')
    const reading = await open(path)
    const list = await sharing()
    const item = list.html.slice(list.html.indexOf('<strong>Dr. Brief'))
    await person.submit({ ...list, html: item })
    expect((await reading.doctor.open('/s')).text).toContain('This link does not work any more')
    expect((await open(path)).gate.status).toBe(404)
    const { path: longer } = await share('Dr. Long', '30')
    clock.advance(8 * DAY_MS)
    expect((await open(longer)).shown.text).toContain('shared this report with Dr. Long')
    clock.advance(23 * DAY_MS)
    expect((await open(longer)).gate.status).toBe(404)
  })

  it('locks nobody out of their own pages by wrong dates at its link, nor who was given another link', async () => {
    await enterAgain()
    const wrong = { ...born, year: '1957' }
    const [first, second] = [await share('Dr. Wrong'), await share('Dr. Right')]
    for (let tries = 1; tries < 5; tries++)
      expect((await open(first.path, wrong)).shown.text).toContain('This is not the date')
    expect((await open(first.path, wrong)).shown.text).toContain('This shared report is blocked for a while')
    const { text } = (await open(first.path)).shown
    expect(text).toContain('No date is taken here for an hour; after ten wrong ones in a day, for up to a day')
    expect(text).toContain('The pages of the person who shared it are not blocked')
    expect(text).not.toContain('A new link')
    expect((await open(second.path)).shown.text).toContain('shared this report with Dr. Right')
    const [link = ''] = await at.linksTo(email)
    expect((await at.enter(link)).home.text).toContain('Hello Grace')
    // Nor the other way round.
    for (let tries = 1; tries <= 5; tries++) await at.enter((await at.linksTo(email))[0] ?? '', wrong)
    expect((await visitor(world.service.url).open(link)).text).toContain('Please wait a while')
    expect((await open(second.path)).shown.text).toContain('shared this report with Dr. Right')
    clock.advance(DAY_MS)
  })

  it('locks nobody out of their own pages by fifty wrong dates from their network', async () => {
    await enterAgain()
    for (let n = 0; n < 10; n++) {
      const { path } = await share(`Dr. ${n}`)
      for (let tries = 0; tries < 5; tries++) await open(path, { ...born, year: '1957' })
      const list = await sharing()
      await person.submit({ ...list, html: list.html.slice(list.html.indexOf(`<strong>Dr. ${n}`)) })
    }
    const last = await share('Dr. Last')
    expect((await open(last.path)).shown.text).toContain('at this link or from your network')
    const [link = ''] = await at.linksTo(email)
    expect((await at.enter(link)).home.text).toContain('Hello Grace')
    clock.advance(DAY_MS)
  })
})

describe('a clinician’s note', () => {
  it('left at publishing is shown to the person with its author, in the PDF and in JSON, and nowhere in clear', async () => {
    const kitId = await at.newKit(clinic)
    const { email } = await at.register(kitId)
    const id = await at.report(clinic, kitId, { glucose: 92 })
    const note = { text: 'Quite all right.\n\nSee you in a year.', author: 'Dr. Quillfeather, physician' }
    expect((await clinic.live.post(`/reports/${id}/publish`, { note })).status).toBe(200)
    const [link = ''] = await at.linksTo(email)
    const { who } = await at.enter(link)
    const shown = await who.open(`/r/reports/${id}`)
    expect(shown.text).toContain(
      'A note with this report Quite all right. See you in a year. Dr. Quillfeather, physician',
    )
    expect(shown.text).toContain('The one value is in its normal range.')
    const { customerID } = (await clinic.live.get(`/kits?kitID=${kitId}`)).body[0]
    const path = `/customers/${customerID}/reports/${id}`
    expect((await clinic.live.get(path)).body.note).toMatchObject({ ...note, version: 1 })
    const response = await fetch(`${world.service.url}/api/v1${path}`, {
      headers: { authorization: `Token ${clinic.liveToken}`, accept: 'application/pdf' },
    })
    const { text } = await readPdf(Buffer.from(await response.arrayBuffer()))
    expect(text).toContain('A note with this report Quite all right. See you in a year. Dr. Quillfeather, physician')
    const { rows } = await owner.query('select to_jsonb(r)::text as row from reports r where id = $1', [id])
    expect(rows[0].row).not.toContain('Quillfeather')
  })
})
