import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { receiveResults } from '../../src/modules/reports/versions/receive.ts'
import { recipients } from '../harness/recipients.ts'
import { readPdf } from '../harness/reports.ts'
import type { Visitor } from '../harness/visitor.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

const results = [
  { biomarkerId: 'glucose', value: 141, unit: 'mg/dL' },
  { biomarkerId: 'ldl', value: 4.9, unit: 'mmol/L' },
  { biomarkerId: 'dhea', value: 300, unit: 'ng/dL' },
]

describe('the units of a report', () => {
  let world: World
  let clinic: TestBusiness
  let at: ReturnType<typeof recipients>
  let reportId: string
  let link: string
  let email: string
  let reader: Visitor

  beforeAll(async () => {
    world = await sharedWorld()
    at = recipients(world)
    clinic = await world.business({ name: 'Harbor Clinic' })
    const kitId = await at.newKit(clinic)
    email = (await at.register(kitId)).email
    reportId = await at.inRealm(clinic, async (tx) => (await receiveResults(tx, { kitId, results })).reportId)
    expect((await clinic.live.post(`/reports/${reportId}/publish`, {})).status).toBe(200)
    link = (await at.linksTo(email))[0] ?? ''
    reader = (await at.enter(link)).who
  })
  afterAll(() => world.stop())

  const open = (query = '') => reader.open(`/r/reports/${reportId}${query}`)
  const pdf = async (query: string) => {
    const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${world.service.url}/r/reports/${reportId}/pdf${query}`, { headers: { cookie } })
    return (await readPdf(Buffer.from(await response.arrayBuffer()))).text
  }

  it('are those in which the laboratory reported, until another choice is made', async () => {
    const { text } = await open()
    expect(text).toContain('Values are in the units in which the laboratory reported them.')
    expect(text).toContain('141 mg/dL')
    expect(text).toContain('4.9 mmol/L')
    expect(text).toContain('mmol/L = mg/dL × 0.02586')
  })

  it('can be chosen: values, limits and the table of factors change, verdicts do not', async () => {
    const [si, us] = [await open('?units=si'), await open('?units=conventional')]
    expect(si.text).toContain('7.8 mmol/L')
    expect(si.text).toMatch(/Normal: 3\.9 – 5\.5 mmol\/L/)
    expect(si.text).toContain('2 values were converted')
    expect(si.html).not.toMatch(/class="number"[^>]*>141 /)
    expect(us.text).toContain('189 mg/dL')
    const verdicts = ({ html }: { html: string }) =>
      [...html.matchAll(/class="verdict v-(\w+)/g)].map(([, state]) => state)
    expect(verdicts(si)).toEqual(verdicts(us))
    expect(verdicts(si).length).toBeGreaterThan(1)
  })

  it('are never guessed: what has no known factor stays, and is named', async () => {
    const { text } = await open('?units=si')
    expect(text).toContain('300 ng/dL')
    expect(text).toMatch(/stays in its unit: no factor to another one is known here/)
  })

  it('are remembered in this browser, in every language, and kept by the link to another language', async () => {
    await open('?units=si')
    expect((await open()).text).toContain('7.8 mmol/L')
    expect((await open('?language=de')).text).toContain('Die Werte stehen in SI-Einheiten')
    const page = await open('?units=conventional&language=en')
    expect(page.html).toContain('?units=conventional&amp;language=de')
    expect((await open('?units=furlongs')).text).toContain('141 mg/dL')
  })

  it('are those of the PDF, too, with the factors; the PDF of the API keeps those of its JSON', async () => {
    const text = await pdf('?units=si')
    expect(text).toContain('7.8 mmol/L')
    expect(text).toContain('mmol/L = mg/dL × 0.05551')
    const { body } = await clinic.live.get(`/customers?q=${email}`)
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: 'application/pdf' }
    const ofApi = async (query: string) => {
      const address = `${world.service.url}/api/v1/customers/${body[0].id}/reports/${reportId}${query}`
      return (await readPdf(Buffer.from(await (await fetch(address, { headers })).arrayBuffer()))).text
    }
    expect(await ofApi('')).toContain('141 mg/dL')
    expect(await ofApi('?units=si')).toContain('7.8 mmol/L')
    expect((await open('?units=si')).html).toContain(`/pdf?units=si"`)
  })

  it('are chosen by the person who reads a shared report', async () => {
    const share = await reader.open(`/r/reports/${reportId}/share`)
    const made = await reader.submit(share, { forWhom: 'Dr. Jones' })
    const url = new URL(/class="url"[^>]*value="([^"]+)"/.exec(made.html)?.[1] ?? '')
    const { who, home } = await at.enter(url.pathname)
    expect(home.text).toContain('141 mg/dL')
    expect((await who.open(`/s/reports/${reportId}?units=si`)).text).toContain('7.8 mmol/L')
    expect((await who.open('/s')).text).toContain('7.8 mmol/L')
  })
})
