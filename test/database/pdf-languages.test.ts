import { reasons } from '@kitlane/lab-reader/identify/reasons'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages, pdfLanguages, translatorOf } from '../../src/domain/translations/translator.ts'
import { issueLinks } from '../../src/modules/links/service.ts'
import { findPublishedReport } from '../../src/modules/reports/read/find.ts'
import { reportPdf } from '../../src/modules/reports/render/print.ts'
import { sealedVersions } from '../../src/modules/reports/sealed-queries.ts'
import { signIn, person as user } from '../harness/people.ts'
import { recipients } from '../harness/recipients.ts'
import { glucose, type Reporting, readPdf, reporting } from '../harness/reports.ts'
import { rewriteSealed } from '../harness/sealed-values.ts'
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
  whole = await at.publish(await at.report(await at.everything(), { labErrors: ['HEMOLYSIS', 'QNS'] }))
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

/** The page that a person in Spanish reads. */
async function pageOf(made: Made): Promise<string> {
  const [link] = await at.inLive((tx) => issueLinks(tx, '', [{ customerId: made.customerId }]))
  const { who } = await recipients(world).enter(link?.url ?? '', { day: '10', month: '3', year: '1985' })
  return (await who.open(`/r/reports/${made.reportId}?language=es`)).text
}

it('says in Spanish why a result was not judged, without what those who check it have to do', async () => {
  const unjudged = (code: string, reason: string) => ({
    name: code,
    value: '7',
    position: '1',
    code,
    reason,
    suggestions: [],
  })
  const unassessed = [
    unjudged('noUnit', reasons.noUnit),
    unjudged('unknownUnit', `${reasons.unknownUnit}: mg/zebra: per day`),
    unjudged('other', 'No release says: this'),
  ]
  const made = await at.report([glucose(90)], { unassessed })
  for (const text of [await pageOf(made), (await pdf(made, '?language=es')).text]) {
    expect(text).toContain('No hay ninguna unidad impresa')
    expect(text).toContain('La unidad no se conoce o no es de este biomarcador: mg/zebra: per day')
    expect(text).toContain('No release says: this')
    expect(text).not.toMatch(/pedir|No unit is printed|ask the/)
  }
})

describe('a note beside a value', () => {
  /** As the dashboard, the page of the person and the PDF show it, in Spanish. */
  async function shownOf(made: Made) {
    const { in: of } = await signIn(world, await user(world, 'business-admin', at.clinic))
    const { body } = await of(at.clinic).get(`/reports/${made.reportId}`, { 'accept-language': 'es' })
    const notes = body.biomarker.map(({ note }: { note?: string }) => note)
    return { dashboard: notes.join(' '), page: await pageOf(made), pdf: (await pdf(made, '?language=es')).text }
  }
  async function flagged(): Promise<Made> {
    const unknown = { biomarkerId: 'potassium', value: 4.1, unit: 'mmol/L', labFlag: 'ZZ9' }
    const made = await at.report([{ ...glucose(95), labFlag: 'H' }, unknown], { labErrors: ['HEMOLYSIS'] })
    expect((await at.clinic.live.post(`/reports/${made.reportId}/publish`, {})).status).toBe(200)
    return made
  }
  const en = [
    'The laboratory marked it as high (H), and that counts.',
    'By the interval of this catalogue, 70 – 99 mg/dL, it would be inside.',
  ].join(' ')
  const es = [
    'El laboratorio lo marcó como alto (H), y eso es lo que vale.',
    'Según el intervalo de este catálogo, 70 – 99 mg/dL, estaría dentro.',
  ].join(' ')

  const careful = [
    'Interprételo con cuidado: los glóbulos rojos de la muestra se habían roto',
    'El laboratorio lo marcó como "ZZ9", que no se conoce aquí: una persona debe leerlo.',
  ].join(' ')

  it('is in Spanish for whoever reads Spanish, with the limits in the unit that is shown, and in English for programs', async () => {
    const made = await flagged()
    for (const [place, text] of Object.entries(await shownOf(made))) {
      expect(text, place).toContain(es)
      expect(text, place).toContain(careful)
    }
    const told = (await at.json(made)).biomarker.find(({ id }) => id === 'glucose')
    expect(told?.note).toBe(en)
    expect(told).not.toHaveProperty('noteKept')
    const { text } = await pdf(made, '?language=es&units=si')
    expect(text).toMatch(/Según el intervalo de este catálogo, 3\.9 – 5\.5 mmol\/L, estaría dentro\./)
  })

  it('is shown as it stands where release 0.1.0 kept a sentence', async () => {
    const made = await flagged()
    await rewriteSealed(world.service.database, sealedVersions, made.reportId, (content) => ({
      ...content,
      entries: content.entries.map(({ noteKept: _, ...entry }) => entry),
    }))
    for (const [place, text] of Object.entries(await shownOf(made))) expect(text, place).toContain(en)
  })
})
