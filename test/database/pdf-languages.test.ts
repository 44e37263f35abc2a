import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages, pdfLanguages, translatorOf } from '../../src/domain/translations/translator.ts'
import { findPublishedReport } from '../../src/modules/reports/read/find.ts'
import { reportPdf } from '../../src/modules/reports/render/print.ts'
import { glucose, type Reporting, readPdf, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
type Made = Awaited<ReturnType<Reporting['report']>>
/** A report of every biomarker, and one of two. */
let whole: Made
let small: Made
beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
  whole = await at.report(await at.everything(), { labErrors: ['HEMOLYSIS', 'QNS'] })
  small = await at.report([glucose(190), { biomarkerId: 'potassium', value: 4.1, unit: 'mmol/L' }])
})
afterAll(() => world.stop())

async function pdf({ path }: Made, query = '', headers: Record<string, string> = {}) {
  const response = await fetch(`${world.service.url}/api/v1${path}${query}`, {
    headers: { authorization: `Token ${at.clinic.liveToken}`, accept: 'application/pdf', ...headers },
  })
  expect(response.status).toBe(200)
  return { response, ...(await readPdf(Buffer.from(await response.arrayBuffer()))) }
}

const drawn = new Map<Language, ReturnType<typeof pdf>>()
/** The whole report, drawn once in each language. */
function wholeIn(language: Language) {
  const made = drawn.get(language) ?? pdf(whole, `?language=${language}`)
  drawn.set(language, made)
  return made
}

const others = pdfLanguages.filter((language) => language !== 'en')
const plain = (text: string) => text.replace(/\s+/g, ' ')

describe('the PDF of a report', () => {
  it.each(others)(
    'is in %s where that is asked for, with every letter, and says what stays English',
    async (language) => {
      const t = translatorOf(language)
      const { text, document, response } = await wholeIn(language)
      expect(response.headers.get('vary')).toContain('Accept-Language')
      for (const key of [
        'pdf.heading',
        'pdf.born',
        'report.attention',
        'pdf.unjudged',
        'pdf.categories',
        'report.english',
        'report.scores.notice',
        'pdf.origin',
        'report.hemolysis',
      ] as const) {
        expect(text, key).toContain(plain(t(key)))
      }
      expect(text).toContain(plain(t('pdf.reference', { range: '' })).trim())
      expect(text).not.toContain('□')
      expect(text).not.toMatch(/What needs attention|Reference \d|not enough data|Collected|Page \d+ of/)
      const { info } = await document.getMetadata()
      expect(info).toMatchObject({ Language: language, Title: t('pdf.title', { report: whole.reportId }) })
    },
  )

  it.each(others)('in %s has nothing outside a page and no text on top of another', async (language) => {
    const { pages } = await wholeIn(language)
    for (const items of pages) {
      const boxes = items
        .filter(({ str }) => str.trim() !== '')
        .map(({ str, transform: [, , , , left, bottom], width, height }) => ({
          str,
          left,
          right: left + width,
          bottom,
          top: bottom + height * 0.7,
        }))
      expect(boxes.filter(({ left, right }) => left < 39 || right > 557)).toEqual([])
      const over = boxes.flatMap((a, index) =>
        boxes
          .slice(index + 1)
          .filter(
            (b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.bottom < b.top - 0.5 && b.bottom < a.top - 0.5,
          )
          .map((b) => [a.str, b.str]),
      )
      expect(over).toEqual([])
    }
  })

  it('is in what Accept-Language asks for, which the address overrides; English without', async () => {
    expect((await pdf(small, '', { 'accept-language': 'tlh, fr-CA;q=0.8, de;q=0.5' })).text).toContain(
      'Rapport de laboratoire',
    )
    expect((await pdf(small, '?language=es', { 'accept-language': 'de' })).text).toContain('Informe de laboratorio')
    expect((await pdf(small)).text).toContain('Laboratory report')
    const refused = await at.clinic.live.get(`${small.path}?language=ar`)
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it.each(languages.filter((language) => !pdfLanguages.includes(language)))(
    'stays English for whoever reads %s, and says so',
    async (language: Language) => {
      const { text } = await pdf(small, '', { 'accept-language': language })
      const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(language)
      expect(text).toContain(`This document is in English: there is none in ${name}.`)
      expect(text).toContain('What needs attention')
    },
  )

  it('says in Spanish what to discuss with a clinician', async () => {
    const { text } = await pdf(small, '?language=es')
    expect(text).toMatch(/Glucose.* está fuera de su intervalo de referencia\. Conviene comentar este resultado con/)
    expect(text).not.toContain('Discuss')
  })

  it('writes numbers as its language does', async () => {
    const published = await at.inLive((tx) => findPublishedReport(tx, String(small.customerId), small.reportId))
    const business = { id: 'b', name: 'Harbor Clinic', color: null }
    const body = await reportPdf({ ...published, business, mode: 'live', language: 'de' })
    const { text } = await readPdf(body)
    expect(text).toMatch(/Referenz \d+,\d+ – \d+,\d+/)
  })
})
