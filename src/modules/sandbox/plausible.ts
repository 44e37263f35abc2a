import { beyondCriticalLimit } from '@kitlane/lab-reader/facts/critical-limits'
import { adultAge, isMakersOwn, rangesFor, scoredLimits } from '@kitlane/lab-reader/facts/ranges'
import { isPlausible, roundTo } from '@kitlane/lab-reader/facts/rules'
import type { Interval, Sex } from '@kitlane/lab-reader/facts/schema'
import type { Biomarker } from '../catalogue/schema.ts'
import { deriveResults } from '../reports/judge/derive.ts'
import type { Subject } from '../reports/judge/formulas.ts'

export type PlausibleKind = 'normal' | 'abnormal' | 'partial'

export interface PlausibleResult {
  biomarkerId: string
  /** In the biomarker's unit, rounded to its decimals. */
  value: number
  unit: string
  /** Samples of the sandbox are taken fasting. */
  fasting: true
  /** Where only the laboratory's own interval judges. */
  labRange?: Interval
}

interface Options {
  sex: Sex
  /** For age bands and eGFR. */
  ageYears?: number
  random: () => number
  kind: PlausibleKind
}

const optimalShare = 0.8
const abnormalShare = 0.2
const partialShare = 1 / 3
/** Tries to bring computed markers into their ranges; beyond it the last draw stands. */
const maxRounds = 60
/** Below these a value is healthy on paper but rare in life. */
const usualLows = new Map([
  ['hba1c', 4.6],
  ['total_cholesterol', 140],
])

/** Blood counts that laboratories measure but that hold together by definition; here they follow from the rest. */
const bloodCounts = new Map<string, { inputs: string[]; from: (inputs: number[]) => number }>([
  ['hematocrit', { inputs: ['rbc', 'mcv'], from: ([rbc = 0, mcv = 0]) => (rbc * mcv) / 10 }],
  ['hemoglobin', { inputs: ['hematocrit', 'mchc'], from: ([hct = 0, mchc = 0]) => (hct * mchc) / 100 }],
  ['mch', { inputs: ['mcv', 'mchc'], from: ([mcv = 0, mchc = 0]) => (mcv * mchc) / 100 }],
  [
    'wbc',
    {
      inputs: ['neutrophils_abs', 'lymphocytes_abs', 'monocytes_abs', 'eosinophils_abs', 'basophils_abs'],
      from: (counts) => counts.reduce((sum, count) => sum + count, 0),
    },
  ],
])

/**
 * Made-up results for a panel, in its order. `normal`: inside the reference interval, mostly optimal; `abnormal`: about
 * a fifth of the measured markers clearly outside, still plausible; `partial`: normal with about a third left out.
 * Computed markers follow from their inputs. A marker without an interval for the sex is left out.
 */
export function plausibleResults(
  catalogue: readonly Biomarker[],
  biomarkerIds: readonly string[],
  options: Options,
): PlausibleResult[] {
  const byId = new Map(catalogue.map((biomarker) => [biomarker.id, biomarker]))
  const measured = withInputs(byId, biomarkerIds).filter(
    (biomarker) => inputsOf(biomarker).length === 0 && limitsOf(biomarker, options),
  )
  const visible = measured.filter(({ id }) => biomarkerIds.includes(id))
  const wanted = options.kind === 'abnormal' ? Math.max(1, Math.round(visible.length * abnormalShare)) : 0
  const abnormal = new Set(shuffled(visible, options.random).slice(0, wanted))
  const values = settle(catalogue, measured, abnormal, biomarkerIds, options)
  const dropped =
    options.kind === 'partial' ? leaveOut(byId, visible, biomarkerIds, values, options) : new Set<string>()
  return biomarkerIds.flatMap((id) => {
    const value = values.get(id)
    const biomarker = byId.get(id)
    return value === undefined || !biomarker || dropped.has(id)
      ? []
      : [{ biomarkerId: id, value, unit: biomarker.unit, fasting: true, ...printedBy(biomarker, options) }]
  })
}

/** The made-up laboratory uses the assay whose cut-off the catalogue has, and prints it. */
const asItsMaker = (biomarker: Biomarker): Biomarker =>
  isMakersOwn(biomarker) ? { ...biomarker, flags: [] } : biomarker

function printedBy(biomarker: Biomarker, options: Options): { labRange?: Interval } {
  const { inRange } = rangesFor(asItsMaker(biomarker), personOf(options))
  return isMakersOwn(biomarker) && inRange ? { labRange: inRange } : {}
}

function inputsOf({ id, derived }: Biomarker): string[] {
  return derived?.inputs ?? bloodCounts.get(id)?.inputs ?? []
}

/** The blood counts whose inputs are there, rounded. In the order of `bloodCounts`: hemoglobin needs the hematocrit. */
function countsFrom(catalogue: readonly Biomarker[], values: ReadonlyMap<string, number>): Map<string, number> {
  const found = new Map<string, number>()
  for (const [id, { inputs, from }] of bloodCounts) {
    const biomarker = catalogue.find((entry) => entry.id === id)
    const known = inputs.flatMap((input) => values.get(input) ?? found.get(input) ?? [])
    if (!biomarker || known.length < inputs.length) continue
    const value = roundTo(from(known), biomarker.decimals)
    if (isPlausible(biomarker, value)) found.set(id, value)
  }
  return found
}

/** The asked biomarkers and, of the computed ones, all that they are computed from. */
function withInputs(byId: ReadonlyMap<string, Biomarker>, ids: readonly string[]): Biomarker[] {
  const found = new Map<string, Biomarker>()
  const add = (id: string) => {
    const biomarker = byId.get(id)
    if (!biomarker || found.has(id)) return
    found.set(id, biomarker)
    inputsOf(biomarker).forEach(add)
  }
  ids.forEach(add)
  return [...found.values()]
}

/** Draws all markers, then draws the inputs of unfitting computed ones again until those fit. */
function settle(
  catalogue: readonly Biomarker[],
  measured: readonly Biomarker[],
  abnormal: ReadonlySet<Biomarker>,
  ids: readonly string[],
  options: Options,
): Map<string, number> {
  const draw = (biomarker: Biomarker) =>
    abnormal.has(biomarker) ? short(biomarker, options, outside(biomarker, options)) : inside(biomarker, options)
  const values = new Map(measured.map((biomarker) => [biomarker.id, draw(biomarker)]))
  const subject = { sex: options.sex, ageYears: options.ageYears ?? 40, fasting: true }
  for (let round = 1; ; round += 1) {
    const counts = countsFrom(catalogue, values)
    const computed = new Map([...counts, ...derivedFrom(catalogue, new Map([...values, ...counts]), subject)])
    const bad = catalogue.filter((biomarker) => ids.includes(biomarker.id) && unfitting(biomarker, computed, options))
    if (bad.length === 0 || round === maxRounds) return new Map([...values, ...computed])
    const again = new Set(
      withInputs(
        new Map(catalogue.map((entry) => [entry.id, entry])),
        bad.map(({ id }) => id),
      ),
    )
    for (const biomarker of measured) if (again.has(biomarker)) values.set(biomarker.id, draw(biomarker))
  }
}

/** Computed values as they are shown, each from its inputs as they are shown. */
function derivedFrom(catalogue: readonly Biomarker[], known: ReadonlyMap<string, number>, subject: Subject) {
  const derived = new Map<string, number>()
  for (const { biomarkerId } of deriveResults(catalogue, known, subject)) {
    const biomarker = catalogue.find(({ id }) => id === biomarkerId)
    if (!biomarker) continue
    const [result] = deriveResults([biomarker], new Map([...known, ...derived]), subject)
    const value = roundTo(result?.value ?? Number.NaN, biomarker.decimals)
    if (isPlausible(biomarker, value)) derived.set(biomarkerId, value)
  }
  return derived
}

/** Computed but outside its interval (normal only), or not computable although it is meant for this sex. */
function unfitting(biomarker: Biomarker, computed: ReadonlyMap<string, number>, options: Options): boolean {
  if (inputsOf(biomarker).length === 0 || !biomarker.sexes.includes(options.sex)) return false
  const value = computed.get(biomarker.id)
  if (value === undefined) return true
  const limits = limitsOf(biomarker, options)
  return options.kind !== 'abnormal' && limits !== undefined && !holds(limits, value)
}

function inside(biomarker: Biomarker, options: Options): number {
  const limits = limitsOf(biomarker, options) ?? { low: null, high: null }
  const { optimal } = rangesFor(asItsMaker(biomarker), personOf(options))
  const zone = optimal && options.random() < optimalShare ? optimal : limits
  const { min, max } = biomarker.plausible
  const usual = Math.max(min, usualLows.get(biomarker.id) ?? 0)
  const low = zone.low ?? Math.max(usual, (zone.high ?? 0) / 2)
  const high = zone.high ?? Math.min(max, low * 1.4)
  const value = roundTo(low + (high - low) * options.random(), biomarker.decimals)
  return Math.min(Math.max(value, zone.low ?? min), zone.high ?? max)
}

/** 60 to 100 % of the width (on the low side at most 60 % of the limit) beyond a limit, at least one step. */
function outside(biomarker: Biomarker, options: Options): number {
  const { low, high } = limitsOf(biomarker, options) ?? { low: null, high: null }
  const { decimals, plausible } = biomarker
  const step = 10 ** -decimals
  const width = low !== null && high !== null ? high - low : Number.POSITIVE_INFINITY
  const far = 0.6 + 0.4 * options.random()
  const roomBelow = low !== null && roundTo(low - step, decimals) >= plausible.min
  if (high !== null && (!roomBelow || options.random() < 0.6)) {
    const value = roundTo(high + far * Math.min(width, high), decimals)
    return Math.min(Math.max(value, roundTo(high + step, decimals)), plausible.max)
  }
  const limit = low ?? 0
  const value = roundTo(limit - far * Math.min(width, 0.6 * limit), decimals)
  const floor = roundTo(Math.ceil(plausible.min / step) * step, decimals)
  return Math.max(Math.min(value, roundTo(limit - step, decimals)), floor)
}

/** Nearer to the limit until it is not critical: that holds the report, so a test asks for it by an exact value. */
function short(biomarker: Biomarker, options: Options, drawn: number): number {
  const { low, high } = limitsOf(biomarker, options) ?? { low: null, high: null }
  const limit = high !== null && drawn > high ? high : low
  let value = drawn
  for (let tries = 0; limit !== null && tries < 8; tries += 1) {
    if (!beyondCriticalLimit(biomarker, { value }, personOf(options))) return value
    value = roundTo((value + limit) / 2, biomarker.decimals)
  }
  return value
}

/** Drops measured markers and what is computed from them until a third of the results is gone. */
function leaveOut(
  byId: ReadonlyMap<string, Biomarker>,
  visible: readonly Biomarker[],
  ids: readonly string[],
  values: ReadonlyMap<string, number>,
  { random }: Options,
): Set<string> {
  const reported = ids.filter((id) => values.has(id))
  const goal = Math.min(reported.length - 1, Math.round(reported.length * partialShare))
  const dropped = new Set<string>()
  for (const biomarker of shuffled(visible, random)) {
    const dependants = reported.filter((id) => withInputs(byId, [id]).includes(biomarker))
    if (new Set([...dropped, ...dependants]).size <= goal) for (const id of dependants) dropped.add(id)
  }
  return dropped
}

/** Made-up values of a minor are those of an adult: there is no interval to draw them from. */
const personOf = ({ sex, ageYears = 40 }: Options) => ({
  sex,
  ageYears: Math.max(ageYears, adultAge),
  phase: 'follicular' as const,
})

function limitsOf(biomarker: Biomarker, options: Options): Interval | undefined {
  const { inRange } = rangesFor(asItsMaker(biomarker), personOf(options))
  return inRange ? scoredLimits(biomarker, inRange) : undefined
}

function holds({ low, high }: Interval, value: number): boolean {
  return (low === null || value >= low) && (high === null || value <= high)
}

/** Fisher-Yates with the given source, so that a seed gives the same report again. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items]
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.min(i, Math.floor(random() * (i + 1)))
    const [a, b] = [result[i], result[j]]
    if (a !== undefined && b !== undefined) [result[i], result[j]] = [b, a]
  }
  return result
}
