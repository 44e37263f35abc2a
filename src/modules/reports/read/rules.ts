import { readingOf } from '@kitlane/lab-reader/facts/reading'
import type { VersionSummary } from '../rules.ts'
import type { AxisEntry, BiomarkerEntry, FindingPoint, Point } from '../schema.ts'

/** A report of a customer's history. */
export interface EarlierReport {
  /** When its sample was taken, else resulted: a day, or a time with its offset. */
  at: string
  kitType: string | null
  summary: VersionSummary
}

/** When and where a value is from. */
const dated = ({ at, kitType, summary: { laboratory } }: EarlierReport) => ({
  timestamp: at,
  ...(kitType !== null && { kitType }),
  ...(laboratory && { laboratory }),
})

type Values = (Point & { rawResult?: number })[]

/** The values of each biomarker in each unit over time, in the order of the reports. */
export function valuesOverTime(history: readonly EarlierReport[]): (entry: BiomarkerEntry) => Values {
  const all = new Map<string, Values>()
  for (const report of history) {
    const from = dated(report)
    for (const [biomarker, unit, result, raw] of report.summary.results) {
      const key = `${biomarker} ${unit}`
      const values = all.get(key) ?? []
      // Old entries have only the text.
      const rawResult = typeof raw === 'string' ? readingOf(raw)?.value : raw
      values.push(rawResult === undefined ? { result, ...from } : { result, rawResult, ...from })
      if (values.length === 1) all.set(key, values)
    }
  }
  return ({ id, unit }) => all.get(`${id} ${unit}`) ?? []
}

/** What was found of each biomarker over time, where it was no number. */
export function findingsOverTime(history: readonly EarlierReport[]): (entry: BiomarkerEntry) => FindingPoint[] {
  const all = history.flatMap((report) =>
    (report.summary.findings ?? []).map(([id, value]) => ({ id, point: { value, ...dated(report) } })),
  )
  return (entry) => (entry.finding ? all.flatMap(({ id, point }) => (id === entry.id ? [point] : [])) : [])
}

/** The scores of each axis over time, in the order of the reports. */
export function scoresOverTime(history: readonly EarlierReport[]): (axis: AxisEntry) => Point[] {
  const all = history.flatMap((report) =>
    report.summary.axes.map(([axis, result]) => ({ axis, point: { result, ...dated(report) } })),
  )
  return (entry) => all.flatMap(({ axis, point }) => (axis === entry.axis ? [point] : []))
}
