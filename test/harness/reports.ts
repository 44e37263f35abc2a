import { Finding } from '@kitlane/lab-reader/facts/finding-schema'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import { getDocumentProxy } from 'unpdf'
import { expect } from 'vitest'
import { realmsOf } from '../../src/modules/businesses/service.ts'
import { biomarkers } from '../../src/modules/catalogue/service.ts'
import type { ReportAnswer } from '../../src/modules/reports/read/answer-schema.ts'
import { type ReceivedResults, receiveResults } from '../../src/modules/reports/versions/receive.ts'
import { readBackAll } from './critical.ts'
import { ReportBundle } from './fhir-r4.ts'
import { anOrder, CORE } from './orders.ts'
import type { World } from './world.ts'

export const ULTIMATE = 'ULTIMATE_METABOLIC_HORMONE_THYROID_EASY_DRAW'
export const FHIR = 'application/fhir+json'
export const PDF = 'application/pdf'

interface Reference {
  kitId: string
  customerId: number
  reportId: string
  path: string
}

/** Reads the text of a PDF as a person copies it, in one line. */
export async function readPdf(body: Buffer) {
  const document = await getDocumentProxy(new Uint8Array(body))
  const pages = await Promise.all(
    Array.from({ length: document.numPages }, async (_, index) => {
      const page = await document.getPage(index + 1)
      // Unnormalised: pdf.js would turn µ into μ.
      const { items } = await page.getTextContent({ disableNormalization: true })
      return items.flatMap((item) => ('str' in item ? [item] : []))
    }),
  )
  const lines = pages.map((items) => items.map(({ str, hasEOL }) => str + (hasEOL ? '\n' : '')).join(''))
  return { document, pages, text: lines.join('\n').replace(/\s+/g, ' ') }
}

export const observationsOf = ({ entry: [, , , ...observations] }: ReportBundle) =>
  observations.flatMap(({ resource }) => (resource.resourceType === 'Observation' ? [resource] : []))

export const glucose = (value: number) => ({ biomarkerId: 'glucose', value, unit: 'mg/dL', fasting: true })
export const insulin = { biomarkerId: 'insulin', value: 9, unit: 'u[IU]/mL', fasting: true }

/** Creates a business that publishes at once, with functions that read its reports in all formats. */
export async function reporting(world: World) {
  const clinic = await world.business({ name: 'Łódź & Söhne Clinic', panels: [CORE, ULTIMATE] })
  await clinic.live.request('PATCH', '/settings', {
    publishing: 'auto',
    publishAcknowledged: true,
    brandColor: '#0f766e',
  })

  const inLive = async <T>(work: Parameters<typeof world.service.database.inRealm<T>>[2]) => {
    const { live } = await world.service.database.asSystem({ name: 'cli' }, (tx) => realmsOf(tx, clinic.id))
    return world.service.database.inRealm(live, { name: 'token:lab' }, work)
  }

  const receive = (input: ReceivedResults) => inLive((tx) => receiveResults(tx, input))

  /** Publishes a report of a new kit. The person is identified by a new e-mail address. */
  async function report(
    results: ReceivedResults['results'],
    more: Partial<ReceivedResults> = {},
    person: object = {},
  ): Promise<Reference> {
    const ordered = await clinic.live.post('/create-order', anOrder({ kit_types: [{ kitType: ULTIMATE }] }))
    const kitId: string = (await clinic.live.get(`/kits?orderID=${ordered.body.orderId}`)).body[0].kitID
    const who = {
      firstName: 'Ada',
      lastName: 'Byron',
      email: `${kitId}@example.test`,
      dateOfBirth: '1985-03-10',
      sex: 'F',
    }
    const registered = await clinic.live.post(`/kits/${kitId}/register`, { ...who, ...person })
    expect(registered.status, registered.text).toBe(200)
    const { reportId } = await receive({ kitId, results, ...more })
    await readBackAll(clinic.live.request, reportId)
    const customerId = Number(registered.body.customerId)
    return { kitId, customerId, reportId, path: `/customers/${customerId}/reports/${reportId}` }
  }

  /** Publishes what waits for a person for another reason than a critical value, which was read back. */
  async function publish(made: Reference): Promise<Reference> {
    const notified = { person: 'Dr. Reyes', at: new Date().toISOString() }
    const { status, text } = await clinic.live.post(`/reports/${made.reportId}/publish`, { notified })
    expect(status, text).toBe(200)
    return made
  }

  const json = async ({ path }: Reference, query = ''): Promise<ReportAnswer> =>
    (await clinic.live.get(path + query)).body

  async function bundle({ path }: Reference, query = ''): Promise<ReportBundle> {
    const { status, text } = await clinic.live.get(path + query, { accept: FHIR })
    expect(status, text).toBe(200)
    return ReportBundle.parse(JSON.parse(text))
  }

  async function pdfOf({ path }: Reference) {
    const headers = { authorization: `Token ${clinic.liveToken}`, accept: PDF }
    const response = await fetch(`${world.service.url}/api/v1${path}`, { headers })
    expect(response.status).toBe(200)
    return { response, ...(await readPdf(Buffer.from(await response.arrayBuffer()))) }
  }

  /** One result of each biomarker, in turn below, within and above its interval; a finding is as expected. */
  const everything = () =>
    inLive(async (tx) =>
      (await biomarkers(tx)).map(({ id, unit, plausible, reference, decimals, scale }, index): NewResult => {
        if (scale && scale.kind !== 'titre') {
          const [value = scale.kind === 'text' ? 'A text' : 'negative'] = scale.expected
          return { biomarkerId: id, finding: Finding.parse({ kind: scale.kind, value }) }
        }
        const { low, high } = reference?.F ?? { low: plausible.min, high: plausible.max }
        const [from, to] = [low ?? plausible.min, high ?? plausible.max]
        const value = [from * 0.9, (from + to) / 2, to * 1.4][index % 3] ?? from
        const sound = Math.min(plausible.max, Math.max(plausible.min, value))
        return { biomarkerId: id, unit, value: Number(sound.toFixed(decimals)) }
      }),
    )

  return { clinic, publish, inLive, receive, report, json, bundle, pdfOf, everything }
}
export type Reporting = Awaited<ReturnType<typeof reporting>>
