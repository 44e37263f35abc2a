import { Category, categoryLabels, type Sex } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../../catalogue/schema.ts'
import { scoreConstants as constants } from './score-constants.ts'

export interface ScoredMarker {
  biomarker: Biomarker
  /** Null for a marker that is missing, suppressed, quarantined or not scored: it lowers the coverage only. */
  score: number | null
  /** True when this service computed the value from others. */
  calculated?: boolean
}

export interface CategoryScore {
  /** 0 to 100, whole; null when there is not enough data. */
  result: number | null
  /** Scored weight of the weight that was expected, 0 to 1. */
  coverage: number
  /** Id of the marker with the lowest score. */
  worst?: string
}

export interface Axis extends CategoryScore {
  axis: Category
  category: string
  range: { min: number; max: number }
}

/**
 * How much a marker counts: 1, times 0.5 at low confidence, times 0.25 where it only repeats scored inputs (ratios,
 * non-HDL, computed LDL); 0 for eAG beside A1c. `scored` are the ids that have a score in the whole report.
 */
export function markerWeight({ biomarker, calculated }: ScoredMarker, scored: ReadonlySet<string>): number {
  const confidence = biomarker.confidence === 'low' ? constants.lowConfidenceWeight : 1
  const { derived } = biomarker
  const repeats = derived !== undefined && (calculated === true || !derived.measurable)
  if (!repeats || !derived.inputs.every((input) => scored.has(input))) return confidence
  return derived.formula === 'eag' ? 0 : constants.calculatedWeight * confidence
}

/**
 * 0.7 of the weighted mean and 0.3 of the worst marker of weight 0.5 or more, rounded. Null unless at least two
 * markers are scored and they carry half of the expected weight. `markers` are those of one category, with null
 * scores for what was expected; `report` are all markers of the report.
 */
export function categoryScore(
  markers: readonly ScoredMarker[],
  report: readonly ScoredMarker[] = markers,
): CategoryScore {
  const scoredIds = new Set(report.filter(({ score }) => score !== null).map(({ biomarker }) => biomarker.id))
  const allIds = new Set(report.map(({ biomarker }) => biomarker.id))
  const scored = markers.flatMap((marker) =>
    marker.score === null
      ? []
      : [{ id: marker.biomarker.id, score: marker.score, weight: markerWeight(marker, scoredIds) }],
  )
  const counted = scored.filter(({ weight }) => weight > 0)
  const weight = counted.reduce((sum, marker) => sum + marker.weight, 0)
  const missing = markers.filter(({ score }) => score === null)
  const missingWeight = missing.reduce((sum, marker) => sum + markerWeight(marker, allIds), 0)
  const coverage = weight === 0 ? 0 : weight / (weight + missingWeight)
  const heavy = counted.filter((marker) => marker.weight >= constants.worstMinWeight)
  const [first, ...others] = heavy
  if (!first || counted.length < constants.minMarkers || coverage < constants.minCoverage)
    return { result: null, coverage }
  const worst = others.reduce((low, marker) => (marker.score < low.score ? marker : low), first)
  const mean = counted.reduce((sum, marker) => sum + marker.score * marker.weight, 0) / weight
  const result = Math.round(constants.meanShare * mean + constants.worstShare * worst.score)
  return { result, coverage, worst: worst.id }
}

/**
 * The category scores of a report, in the catalogue's order, for the categories that `results` or `expected` touch.
 * `expected` is the panel: what it lacks in `results` lowers the coverage, save tests not meant for `sex`.
 */
export function axes(results: readonly ScoredMarker[], expected: readonly Biomarker[] = [], sex?: Sex): Axis[] {
  const present = new Set(results.map(({ biomarker }) => biomarker.id))
  const meant = expected.filter(({ id, sexes }) => !present.has(id) && (sex === undefined || sexes.includes(sex)))
  const report = [...results, ...meant.map((biomarker) => ({ biomarker, score: null }))]
  return Category.options.flatMap((axis) => {
    const markers = report.filter(({ biomarker }) => biomarker.category === axis)
    if (markers.length === 0) return []
    return [{ axis, category: categoryLabels[axis], range: { min: 0, max: 100 }, ...categoryScore(markers, report) }]
  })
}
