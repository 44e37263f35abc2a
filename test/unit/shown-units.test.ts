import { limitsText } from '@kitlane/display/report-text'
import { zoneOf } from '@kitlane/display/story'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import type { Biomarker, Interval } from '@kitlane/lab-reader/facts/schema'
import type { NewNumber } from '@kitlane/lab-reader/identify/result'
import { describe, expect, it, test } from 'vitest'
import { judgeNumber } from '../../src/modules/reports/judge/entry.ts'
import type { Sample } from '../../src/modules/reports/judge/new-result.ts'
import type { Report, ShownEntry } from '../../src/modules/reports/schema.ts'
import { convertEntry } from '../../src/modules/reports/units/convert-entry.ts'
import { inUnits } from '../../src/modules/reports/units/in-units.ts'
import { type UnitSystem, unitIn } from '../../src/modules/reports/units/systems.ts'
import { openSample } from '../harness/sample.ts'
import { type VerdictCase, verdictCases } from '../harness/verdict-cases.ts'

const byId = new Map(biomarkers.map((one) => [one.id, one]))
const adult: Sample = { subject: { sex: 'F', ageYears: 41 }, labErrors: [] }

const entryOf = (biomarker: Biomarker, given: NewNumber, sample = adult): ShownEntry => ({
  ...judgeNumber(biomarker, given, sample),
  historic: [],
  historicFindings: [],
})

const entry = (id: string, value: number, unit: string, labRange?: Interval): ShownEntry => {
  const biomarker = byId.get(id)
  if (!biomarker) throw new Error(`no biomarker ${id}`)
  return entryOf(biomarker, { biomarkerId: id, value, unit, ...(labRange && { labRange }) })
}

const reportOf = (biomarker: ShownEntry[]): Report => ({
  id: 'R1',
  axes: [],
  suggestions: [],
  labParamsError: [],
  unassessed: [],
  scoreVersion: '1',
  biomarker,
  details: { status: 'published', vendorStatus: 'final', version: 1, latestVersion: 1, versions: [1] },
})

const shown = (system: UnitSystem, ...entries: ShownEntry[]) => {
  const { report, units } = inUnits(reportOf(entries), system)
  return {
    units,
    entries: report.biomarker,
    said: report.biomarker.map((one) => [
      one.result,
      one.displayUnit,
      limitsText(one.ranges.inRange ?? { low: null, high: null }, one.displayUnit),
    ]),
  }
}

// Written out here, not taken from the code that is tested.
const sideOf = ({ low, high, lowExclusive, highExclusive }: Interval, x: number) => {
  if (low !== null && (lowExclusive ? x <= low : x < low)) return 'below'
  return high !== null && (highExclusive ? x >= high : x > high) ? 'above' : 'inside'
}
const sidesOf = ({ result, ranges, labRange }: ShownEntry) =>
  [ranges.inRange, ranges.optimal, ...ranges.good, ...ranges.fair, labRange].map(
    (interval) => interval && result !== null && sideOf(interval, result),
  )

describe('a report in other units', () => {
  it('has values, limits and histories in SI units, rounded as such units are', () => {
    const glucose = { ...entry('glucose', 95, 'mg/dL'), historic: [{ result: 141, timestamp: '2026-01-01T00:00:00Z' }] }
    const { said, entries, units } = shown('si', glucose, entry('creatinine', 0.93, 'mg/dL'), entry('hba1c', 5.4, '%'))
    expect(said).toEqual([
      [5.3, 'mmol/L', '3.9 – 5.5 mmol/L'],
      [82, 'umol/L', '50 – 88 µmol/L'],
      [36, 'mmol/mol', '≤ 38 mmol/mol'],
    ])
    expect(entries[0]?.historic[0]?.result).toBe(7.8)
    expect(units.converted.map(({ id, from, to, factor }) => [id, from, to, factor])).toEqual([
      ['glucose', 'mg/dL', 'mmol/L', expect.closeTo(0.0555, 4)],
      ['creatinine', 'mg/dL', 'umol/L', expect.closeTo(88.4, 1)],
      ['hba1c', '%', 'mmol/mol', expect.closeTo(10.93, 2)],
    ])
    expect(units.isChoice).toBe(true)
  })

  it('shows what the laboratory reported as it reported it, its own interval too', () => {
    const own = entry('glucose', 6.1, 'mmol/L', { low: 3.9, high: 5.5 })
    expect(shown('reported', own).said).toEqual([[6.1, 'mmol/L', '3.9 – 5.5 mmol/L']])
    expect(shown('si', own).said).toEqual([[6.1, 'mmol/L', '3.9 – 5.5 mmol/L']])
    expect(shown('conventional', own).said).toEqual([[110, 'mg/dL', '70 – 99 mg/dL']])
    expect(shown('reported', entry('glucose', 95, 'mg/dl')).units.converted).toEqual([])
  })

  it('shows what was computed in the unit of what it was computed from', () => {
    const cholesterol = (unit: string) => [entry('total_cholesterol', unit === 'mmol/L' ? 5 : 193, unit)]
    const ldl: ShownEntry = { ...entry('ldl', 120, 'mg/dL'), type: 'calculated' }
    expect(shown('reported', ...cholesterol('mmol/L'), ldl).said.map(([, unit]) => unit)).toEqual(['mmol/L', 'mmol/L'])
    expect(shown('reported', ...cholesterol('mg/dL'), ldl).said.map(([, unit]) => unit)).toEqual(['mg/dL', 'mg/dL'])
  })

  it('never guesses: without a factor a value stays in its unit, and is named; a share or a size is in all systems the same', () => {
    const { said, units } = shown(
      'si',
      entry('dhea', 300, 'ng/dL'),
      entry('mcv', 90, 'fL'),
      entry('sodium', 140, 'mmol/L'),
    )
    expect(said.map(([result, unit]) => [result, unit])).toEqual([
      [300, 'ng/dL'],
      [90, 'fL'],
      [140, 'mmol/L'],
    ])
    expect(units.unconverted.map(({ id }) => id)).toEqual(['dhea'])
    expect(units.isChoice).toBe(false)
    const odd = shown('reported', entry('dhea', 3000, 'pg/mL'))
    expect(odd.units.unconverted.map(({ id }) => id)).toEqual(['dhea'])
  })

  it('says the interval of a note in the unit that is shown', () => {
    const glucose = byId.get('glucose')
    if (!glucose) throw new Error('no glucose')
    const flagged = entryOf(glucose, { biomarkerId: 'glucose', value: 95, unit: 'mg/dL', labFlag: 'H' })
    expect(flagged.note).toContain('70 – 99 mg/dL')
    expect(shown('si', flagged).entries[0]?.note).toContain('3.9 – 5.5 mmol/L')
  })
})

describe('every biomarker, at, just inside and just outside each limit, in every unit', () => {
  /** Why what is shown contradicts what was judged; undefined if it does not. */
  function contradiction(
    before: ShownEntry,
    after: ShownEntry,
    { factor, offset }: { factor: number; offset: number },
  ) {
    const into = (before.result ?? 0) * factor + offset
    const zones = [before, after].map((one) => one.historic.map(({ result }) => zoneOf(one, result)).join())
    if (Math.abs((after.result ?? 0) - into) > Math.abs(into) * 0.021) return 'another value'
    if (sidesOf(before).join() !== sidesOf(after).join()) return 'another side of a limit'
    if (zones[0] !== zones[1]) return 'another zone of an earlier value'
    return after.historic.at(-1)?.result === after.result ? undefined : 'two values of one day'
  }

  const groupOf = ({ interval, given }: VerdictCase) => `${interval} ${given.unit}`

  test('is on the same side of each limit in every system of units, and within 2 % of itself', () => {
    const sample = openSample('shown units')
    const counts = { cases: 0, shown: 0, asGiven: 0, given: 0 }
    const ids = { reported: new Set<string>(), si: new Set<string>() }
    const wrong: string[] = []
    for (const biomarker of biomarkers.filter(({ scale, conversions }) => !scale && conversions.length > 0)) {
      const seen = new Set<string>()
      const all = [...verdictCases(biomarker)].filter(({ given }) => given.labFlag === undefined)
      counts.cases += all.length
      for (const { given, subject } of sample.draw(all, groupOf, 40)) {
        const before = entryOf(biomarker, given, { subject, labErrors: [] })
        const key = JSON.stringify([before.result, before.ranges, before.labRange, before.rawUnit, before.rawValue])
        if (before.result === null || seen.has(key)) continue
        seen.add(key)
        const earlier = Number((before.result * 1.01).toPrecision(6))
        before.historic = [earlier, before.result].map((result) => ({ result, timestamp: '2026-01-01T00:00:00Z' }))
        for (const system of ['reported', 'si'] as const) {
          const other = unitIn(system, before, [before])
          if (!other) continue
          const { entry: after } = convertEntry(before, other)
          counts.shown++
          ids[system].add(biomarker.id)
          const why = contradiction(before, after, other)
          const values = `${given.value} ${given.unit}: ${before.result} → ${after.result} ${other.unit}`
          if (why) wrong.push(`${biomarker.id} ${values}: ${why}`)
          if (system === 'si') continue
          counts.given++
          if (after.result === given.value) counts.asGiven++
        }
      }
    }
    const all = `${ids.reported.size} biomarkers reported in another unit, ${ids.si.size} in SI units`
    process.stdout.write(`shown units: ${all}, ${JSON.stringify(counts)}\n`)
    expect(wrong.slice(0, 10)).toEqual([])
    expect(counts.cases).toBeGreaterThan(50_000)
    expect(counts.asGiven / counts.given).toBeGreaterThan(0.95)
    expect([ids.reported.size, ids.si.size]).toEqual([332, 80])
  })
})
