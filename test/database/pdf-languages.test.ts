import { readFileSync } from 'node:fs'
import catalogue from '@kitlane/lab-reader/facts/data/biomarkers.json' with { type: 'json' }
import { categoryLabels } from '@kitlane/lab-reader/facts/schema'
import { reasons } from '@kitlane/lab-reader/identify/reasons'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Language, languages, translatorOf } from '../../src/domain/translations/translator.ts'
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
/** All messages of a language, without the words of their syntax. */
const messagesOf = (language: Language): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../src/domain/translations/${language}.json`, import.meta.url), 'utf8'))

/** The whole report, drawn once in each language. */
function wholeIn(language: Language) {
  const made = drawn.get(language) ?? pdf(whole, `?language=${language}`)
  drawn.set(language, made)
  return made
}

const others = languages.filter((language) => language !== 'en')
// One glyph is two letters in Arabic, which pdf.js turns; marks it puts elsewhere.
const plain = (text: string) => text.replace(/[\p{M}\u2068\u2069\s]+/gu, '').replace(/ا[لأ]|ل[اأإآ]/g, 'لا')

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
        'report.names',
        'report.scores.notice',
        'pdf.origin',
        'report.hemolysis',
      ] as const) {
        // Codes in brackets stand elsewhere in a line that is read from the right.
        for (const part of t(key).split(/\([A-Z]+\)/)) expect(plain(text), key).toContain(plain(part))
      }
      expect(plain(text)).toContain(plain(t('pdf.reference', { range: '' })))
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
        // A mark is on top of its letter.
        .filter(({ str }) => /[^\s\p{M}]/u.test(str))
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
    const refused = await at.clinic.live.get(`${small.path}?language=tlh`)
    expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('says in Spanish what to discuss with a clinician', async () => {
    const { text } = await pdf(small, '?language=es')
    expect(text).toMatch(/Glucosa.* está fuera de su intervalo de referencia\. Conviene comentar este resultado con/)
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

/** The page that a person reads. */
async function openPage(made: Made, language: Language) {
  const [link] = await at.inLive((tx) => issueLinks(tx, '', [{ customerId: made.customerId }]))
  const { who } = await recipients(world).enter(link?.url ?? '', { day: '10', month: '3', year: '1985' })
  return who.open(`/r/reports/${made.reportId}?language=${language}`)
}
const pageOf = async (made: Made): Promise<string> => (await openPage(made, 'es')).text

describe('a report with critical results', () => {
  let urgent: Made
  beforeAll(async () => {
    const ids = ['sodium', 'chloride', 'co2', 'calcium', 'phosphorus']
    const fine = (await at.everything()).filter(({ biomarkerId }) => ids.includes(biomarkerId))
    const presence = (biomarkerId: string, value: 'positive' | 'indeterminate') => ({
      biomarkerId,
      finding: { kind: 'presence' as const, value },
    })
    urgent = await at.report([
      ...fine.map((one) => (one.biomarkerId === 'chloride' ? { ...one, labFlag: 'A' } : one)),
      { biomarkerId: 'potassium', value: 6.9, unit: 'mmol/L' },
      presence('hepatitis_c_antibody', 'positive'),
      presence('hbsag', 'positive'),
      presence('treponema_pallidum_antibody', 'indeterminate'),
    ])
  })

  it.each(languages)(
    'names in %s each that is critical by the API to its person, for today, on page and paper alike',
    async (language) => {
      const t = translatorOf(language)
      const { biomarker, axes } = await at.json(urgent)
      const critical = biomarker.filter((one) => one.critical ?? one.holdsReport)
      expect(critical.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['potassium', 'hepatitis_c_antibody', 'hbsag', 'treponema_pallidum_antibody']),
      )
      const { text, html } = await openPage(urgent, language)
      const [, box = ''] = /<div class="note bad">(.*?)<\/div>/s.exec(html) ?? []
      const words = plain(box.replace(/<[^>]*>/g, ' '))
      for (const { simpleLabel } of critical) expect(words).toContain(plain(t.nameOf(simpleLabel)))
      expect(words).toContain(plain(t('report.urgent')))
      expect(words, 'one time, and not "today" and "soon"').not.toMatch(/soon|bald|pronto|rapidement|早めに|قريب/)
      expect(axes.find(({ axis }) => axis === 'electrolytes')?.result, 'JSON has the number').toEqual(
        expect.any(Number),
      )
      expect(plain(text), 'no high number hides it').toContain(plain(t('report.scores.critical')))
      const paper = plain((await pdf(urgent, `?language=${language}`)).text)
      // In a line that is read from the right, names in Latin letters stand elsewhere in the text of the file.
      const said = t.direction === 'rtl' ? plain(t('report.urgent')) : words
      expect(paper).toContain(said)
      expect(paper.indexOf(said), 'before all else').toBeLessThan(paper.indexOf(plain(t('pdf.origin'))))
      expect(paper).toContain(plain(t('report.scores.critical')))
      expect(paper, 'no word of a verdict is broken').toContain(plain(t.capital(t('verdict.veryUnexpected'))))
      expect(paper, 'no name twice').not.toContain(plain(t.nameOf('Potassium').repeat(2)))
    },
  )

  it.each(languages.filter((one) => translatorOf(one).direction === 'ltr'))(
    'ends each row of the PDF in %s before the next one begins',
    async (language) => {
      const { pages } = await pdf(urgent, `?language=${language}`)
      const t = translatorOf(language)
      const items = pages.flat().filter(({ str }) => str.trim() !== '')
      const rows = (await at.json(urgent)).biomarker.flatMap(({ label }) => {
        const [name = ''] = t.nameOf(label).split(' ')
        const found = items.find(({ str, transform }) => str.startsWith(name) && Number(transform[4]) < 42)
        return found ? [Number(found.transform[5])] : []
      })
      // A name is in the first line of its row, a verdict in the lines below, at the right.
      const verdict = items.filter(({ str, transform }) => Number(transform[4]) > 485 && /^[\p{L}:]/u.test(str))
      const tops = rows.toSorted((a, b) => b - a)
      for (const { str, transform } of verdict) {
        const next = tops.find((top) => top < Number(transform[5]) - 3)
        if (next !== undefined && Number(transform[5]) < Number(tops[0]) + 2)
          expect(Number(transform[5]) - next, str).toBeGreaterThan(9)
      }
    },
  )
})

it('says in every language of a number that was not assessed that it stands as the laboratory wrote it', async () => {
  const dust = { name: 'Moon dust', value: '1.234', unit: 'mg/L', range: '0.5-2.5', position: '1', code: 'unknownName' }
  const made = await at.report([glucose(90)], {
    unassessed: [{ ...dust, reason: reasons.unknownName, suggestions: [] }],
  })
  for (const language of languages) {
    const { text } = await openPage(made, language)
    expect(text.slice(text.indexOf('Moon dust')), language).toMatch(
      new RegExp(`^Moon dust +1\\.234 +mg/L +${translatorOf(language)('value.asWritten')}`),
    )
  }
})

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{4,}/gu))
const COMMON = 'with your this that from which have what when they there between above below because result value test'

describe.each(languages.filter((language) => language !== 'en'))('a report of every biomarker in %s', (language) => {
  const t = translatorOf(language)
  const ofBiomarkers = catalogue.biomarkers.flatMap((one) => [one.label, one.simpleLabel, one.shortLabel])
  const names = [...ofBiomarkers, ...Object.values(categoryLabels)]
  const own = wordsOf([...names.map(t.nameOf), ...Object.values(messagesOf(language))].join(' '))
  /** English words of names, and common ones, that nothing in the language contains. */
  const english = [...wordsOf(`${names.join(' ')} ${COMMON}`)].filter((word) => !own.has(word))

  it('has no English word on the page but in what is marked as English, also in what is read aloud', async () => {
    const { html } = await openPage(whole, language)
    const unmarked = html
      .replace(/<(\w+)[^>]* lang="en"[^>]*>.*?<\/\1>/gs, ' ')
      .replace(/<(head|footer|header)\b.*?<\/\1>/gs, ' ')
    const aloud = [...unmarked.matchAll(/aria-label="([^"]*)"/g)].map(([, text]) => text)
    const seen = wordsOf(`${unmarked.replace(/<[^>]*>/g, ' ')} ${aloud.join(' ')}`)
    expect(english.length).toBeGreaterThan(200)
    expect(english.filter((word) => seen.has(word))).toEqual([])
    // A title for each value, none of them marked as English.
    expect(unmarked.match(/<h3[^>]*>[^<]|"line-name">[^<]/g)?.length).toBeGreaterThan(700)
  })

  it('has no English word in its PDF', async () => {
    const { text } = await wholeIn(language)
    const seen = wordsOf(text)
    expect(text).not.toMatch(/\b(Negative|Positive|Trace)\b/)
    expect(english.filter((word) => seen.has(word))).toEqual([])
  })
})

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
