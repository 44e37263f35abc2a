import { gaugeOf } from '@kitlane/display/gauge'
import { unitText, valueText } from '@kitlane/display/report-text'
import { rangesFor } from '@kitlane/lab-reader/facts/ranges'
import { getMeta } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { biomarkers } from '../../src/modules/catalogue/service.ts'
import { zoneOf } from '../../src/modules/reports/judge/score.ts'
import { findPublishedReport } from '../../src/modules/reports/read/find.ts'
import { aheadMs } from '../harness/days.ts'
import { glucose, insulin, type Reporting, readPdf, reporting } from '../harness/reports.ts'
import { sharedWorld, type World } from '../harness/world.ts'

let world: World
let at: Reporting
beforeAll(async () => {
  world = await sharedWorld()
  at = await reporting(world)
})
afterAll(() => world.stop())

describe('a report as PDF', () => {
  test('every result can be read and copied from it, with its unit and reference interval', async () => {
    const made = await at.publish(await at.report(await at.everything()))
    const [{ text, pages, document }, plain] = [await at.pdfOf(made), await at.json(made)]
    expect(plain.biomarker.length).toBeGreaterThan(85)
    const missing = plain.biomarker.flatMap((entry) => {
      const value = `${valueText(entry)} ${unitText(entry.displayUnit)}`
      return [entry.label, value.trim()].filter((part) => !text.includes(part))
    })
    expect(missing).toEqual([])
    for (const sign of ['≤', '≥', ' µg/dL', 'µIU/mL', '×10³/µL', '1.73 m²', '–']) expect(text).toContain(sign)
    for (const { category } of plain.axes) expect(text).toContain(category)
    for (const suggestion of plain.suggestions) expect(text).toContain(suggestion.text)
    for (const entry of plain.biomarker) if (entry.note) expect(text).toContain(entry.note)
    expect(pages.length).toBeGreaterThan(3)
    const { info } = await getMeta(document)
    expect(info).toMatchObject({ Title: `Laboratory report ${made.reportId}`, Language: 'en', Creator: 'Kitlane' })
    expect(await (await document.getPage(1)).getStructTree()).toMatchObject({ children: [{ role: 'Document' }] })
  })

  test('a value outside that says another one otherwise has its row, and is named once', async () => {
    const made = await at.report([{ biomarkerId: 'hba1c', value: 9, unit: '%' }])
    const entry = (await at.json(made)).biomarker.find(({ id }) => id === 'eag') ?? expect.fail('no eAG')
    expect([entry.state, entry.expresses]).toEqual(['poor', 'hba1c'])
    const { text } = await at.pdfOf(made)
    for (const part of [entry.label, valueText(entry)]) expect(text).toContain(part)
  })

  test('an earlier version has no next step about a value that was taken back, and opens by that, in every form', async () => {
    const outside = { biomarkerId: 'ldl', value: 190, unit: 'mg/dL', fasting: true }
    for (const [results, rest] of [
      [[glucose(181)], []],
      [[glucose(181), outside], ['ldl']],
    ] as const) {
      const made = await at.report([...results])
      expect(JSON.stringify((await at.json(made)).suggestions)).toContain('lucose')
      const withdrawals = [{ biomarkerId: 'glucose', why: 'withdrawn' as const }]
      await at.receive({ kitId: made.kitId, results: [insulin], corrected: true, withdrawals })
      if ((await at.clinic.live.get(made.path)).status === 404) await at.publish(made)
      const first = { ...made, path: `${made.path}?version=1` }
      const [json, bundle, pdf] = [await at.json(first), await at.bundle(first), await at.pdfOf(first)]
      expect(json.suggestions.flatMap((one) => one.biomarkers)).toEqual(rest)
      const steps = JSON.stringify([json.suggestions, bundle.entry[0].resource.conclusion])
      expect(steps).not.toMatch(/glucose[^"]* (is|are) outside/i)
      expect(pdf.text).not.toMatch(/Glucose[^.]* (is|are) outside its/)
      expect(pdf.text).not.toContain('This report has no values')
      if (rest.length === 0) {
        expect(json.opening).toMatchObject([{ says: 'allWithdrawn' }])
        expect(pdf.text).toContain('All values of this report were taken back')
        expect(pdf.text).not.toContain('Discuss')
      }
    }
  })

  test('it says that the specimen is not stated, and nothing of signed ranges where nothing is judged', async () => {
    const judged = await at.pdfOf(await at.report([glucose(90)]))
    expect(judged.text).toMatch(/Specimen Not stated/)
    expect(judged.text).toMatch(/signed by a laboratory|laboratory director/)
    const made = await at.report([insulin])
    expect((await at.json(made)).biomarker.map(({ state }) => state)).toEqual(['unknown'])
    expect((await at.pdfOf(made)).text).not.toMatch(/signed by a laboratory|laboratory director/)
    expect((await at.bundle(made)).entry[0].resource.conclusion ?? '').not.toContain('laboratory director')
  })

  test('nothing stands outside a page, in its footer or on top of another text', async () => {
    const { pages, text } = await at.pdfOf(
      await at.publish(await at.report(await at.everything(), { labErrors: ['HEMOLYSIS', 'QNS'] })),
    )
    for (const [index, items] of pages.entries()) {
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`)
      const shown = items.filter(({ str }) => str.trim() !== '')
      const boxes = shown.map(({ str, transform, width, height }) => {
        return {
          str,
          left: transform[4],
          right: transform[4] + width,
          bottom: transform[5],
          top: transform[5] + height * 0.7,
        }
      })
      expect(boxes.filter(({ left, right, top }) => left < 39 || right > 557 || top > 842)).toEqual([])
      const footer = boxes.filter(({ bottom }) => bottom < 50)
      expect(footer).toHaveLength(4)
      expect(boxes.filter(({ bottom }) => bottom >= 50 && bottom < 58)).toEqual([])
      const overlapping = boxes.flatMap((a, at) =>
        boxes
          .slice(at + 1)
          .filter((b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.bottom < b.top && b.bottom < a.top)
          .map((b) => `${a.str} / ${b.str}`),
      )
      expect(overlapping).toEqual([])
    }
  })

  test('it carries the name in its script, the business, and the sentence that the ranges are a draft', async () => {
    const person = { firstName: 'Łukasz Ołëkšándr', lastName: 'Żółć-Þórðarson Ελένη Анна ል' }
    const { text } = await at.pdfOf(await at.report([glucose(90)], { partial: true }, person))
    expect(text).toContain('Łukasz Ołëkšándr Żółć-Þórðarson Ελένη Анна □')
    expect(text).toContain('Łódź & Söhne Clinic')
    expect(text).toContain(
      'Not signed by a laboratory: ranges and verdicts are a draft until a laboratory director signs them.',
    )
    expect(text).toContain('http://loinc.org/license')
    expect(text).toContain('More results of this sample are still to come.')
  })

  test('a letter that came only with an accent in one document can be copied from the next', async () => {
    // Fonts that no document has used yet, and identifiers without these letters.
    vi.resetModules()
    const { reportPdf } = await import('../../src/modules/reports/render/print.ts')
    const made = await at.report([glucose(90)])
    const { report } = await at.inLive((tx) => findPublishedReport(tx, String(made.customerId), made.reportId))
    const shown = { ...report, id: 'R000000000', kitID: 'K000000000' }
    const named = async (name: string) => {
      const owner = { id: 1, name, dateOfBirth: null, gender: null }
      const business = { id: 'biz_1', name: 'Clinic', color: null }
      const at = new Date('2026-02-03T00:00:00Z')
      const moment = { issuedAt: at, changedAt: at, mode: 'live' as const }
      return (await readPdf(await reportPdf({ report: shown, owner, business, ...moment }))).text
    }
    expect(await named('ŽŶŴ')).toContain('ŽŶŴ')
    expect(await named('ZYW')).toContain('ZYW')
  })

  test('what has no verdict stands apart, as it came and with the reason', async () => {
    const { text } = await at.pdfOf(
      await at.report([
        glucose(90),
        { biomarkerId: 'ldl', value: 3.1, unit: 'furlongs', rawResult: '≥3.1 µ?' },
        { biomarkerId: 'tsh', value: 4, unit: 'm[IU]/L', comparator: '<' },
      ]),
    )
    const apart = text.slice(text.indexOf('Results without a verdict'))
    expect(apart).toContain('LDL Cholesterol ≥3.1 µ? furlongs The unit is unknown')
    expect(apart).toContain('Thyroid Stimulating Hormone < 4 mIU/L The result only names a limit')
    expect(apart).not.toContain('Glucose')
  })

  test('values of several reports are drawn over time', async () => {
    const email = 'over.time@example.test'
    const daysAgo = (days: number) => new Date(Date.now() + aheadMs - days * 86_400_000).toISOString().slice(0, 10)
    for (const [days, value] of [
      [300, 88],
      [200, 93],
      [100, 104],
    ] as const) {
      await at.report([glucose(value)], { collectedDate: daysAgo(days) }, { email })
    }
    const { text } = await at.pdfOf(await at.report([glucose(97)], { collectedDate: daysAgo(1) }, { email }))
    const charts = text.slice(text.indexOf('Over time'))
    const shown = (days: number) =>
      new Date(daysAgo(days)).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
    for (const part of ['Glucose, mg/dL', '104', '88', shown(300), shown(1)]) expect(charts).toContain(part)
    const { text: single } = await at.pdfOf(await at.report([glucose(97)]))
    expect(single).not.toContain('Over time')
  })

  test('the marker of a gauge stands in the band that the report names', async () => {
    const wrong: string[] = []
    for (const biomarker of await at.inLive((tx) => biomarkers(tx))) {
      for (const sex of ['M', 'F'] as const) {
        const ranges = rangesFor(biomarker, { sex })
        const { min, max } = biomarker.plausible
        for (let step = 0; step <= 400; step++) {
          const value = Number((min + ((max - min) * step) / 400).toFixed(biomarker.decimals + (step % 3)))
          const gauge = gaugeOf(ranges, value)
          if (!gauge || gauge.marker === undefined) continue
          const { marker, zones } = gauge
          const edges = zones.flatMap(({ from, to }, index) => (from === (zones[index - 1]?.to ?? 0) ? [to] : []))
          if (edges.length !== zones.length || edges.at(-1) !== 1) wrong.push(`${biomarker.id}: the bands have gaps`)
          const under = zones.filter(({ from, to }) => from <= marker && marker <= to).map(({ zone }) => zone)
          const state = zoneOf(biomarker, ranges, { value })
          if (!under.some((zone) => zone === state))
            wrong.push(`${biomarker.id} ${sex} ${value}: ${state}, drawn ${under}`)
        }
      }
    }
    expect(wrong.slice(0, 10)).toEqual([])
  })
})
