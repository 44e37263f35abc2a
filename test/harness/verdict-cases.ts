import { convert } from '@kitlane/lab-reader/facts/convert'
import type { Biomarker, Interval, Sex } from '@kitlane/lab-reader/facts/schema'
import type { NewNumber } from '@kitlane/lab-reader/identify/result'
import { rangeOf } from '@kitlane/lab-reader/parse/number'

export interface Subject {
  sex?: Sex
  ageYears?: number
}

export type Side = 'N' | 'L' | 'H' | ''

export interface VerdictCase {
  biomarker: Biomarker
  subject: Subject
  given: NewNumber
  /** Where the value lies, by the numbers that are printed; two where a printed bound was rounded by its unit. */
  sides: readonly Side[]
  /** Whose interval it is; none: nothing may judge the value but a flag. */
  interval: 'lab' | 'catalogue' | 'none'
}

type Says = Side | 'LL' | 'HH' | 'A' | 'AA' | 'nothing' | 'unknown'

/** What a laboratory may write as a flag, and what it says: HL7 table 0078 and FHIR. */
export const flagCodes: readonly (readonly [code: string | undefined, says: Says])[] = [
  [undefined, 'nothing'],
  ...(['N', 'L', 'H', 'LL', 'HH', 'A', 'AA'] as const).map((code) => [code, code] as const),
  ...(['LU', 'L<', 'LX'] as const).map((code) => [code, 'L'] as const),
  ...(['HU', 'H>', 'HX'] as const).map((code) => [code, 'H'] as const),
  ['EX', 'A'],
  ...(['U', 'D', 'B', 'W', '<', '>'] as const).map((code) => [code, 'nothing'] as const),
  ['QQ', 'unknown'],
]
/** None and those of HL7; the other codes take turns, as do all of them where that is enough. */
const [everyTurn, inTurn] = [flagCodes.slice(0, 8), flagCodes.slice(8)]

const round = (x: number, decimals: number) => Number(x.toFixed(decimals))
const sideOf = ({ low, high, lowExclusive, highExclusive }: Interval, x: number): Side => {
  if (low !== null && (x < low || (x === low && lowExclusive))) return 'L'
  if (high !== null && (x > high || (x === high && highExclusive))) return 'H'
  return 'N'
}

/** At a limit and one step of each printed precision to both sides of it. */
function* valuesAround(limit: number): Generator<number> {
  yield limit
  for (const decimals of [0, 1, 2, 3]) {
    const step = 10 ** -decimals
    yield round(limit, decimals)
    yield round(round(limit, decimals) - step, decimals)
    yield round(round(limit, decimals) + step, decimals)
  }
}

/** At a limit, or the smallest step beside it: there each flag is tried, elsewhere they take turns. */
const isNearest = (limits: readonly number[], value: number) =>
  limits.some((limit) => Math.abs(limit - value) <= 1.5e-3)

const isReal = ({ plausible }: Biomarker, x: number) => x >= plausible.min && x <= plausible.max
const boundsOf = ({ low, high }: Interval) => [low, high].filter((bound) => bound !== null)

/** The ages at which the catalogue's interval of a biomarker may change, and one of a child. */
const agesOf = ({ ageBands }: Biomarker): (number | undefined)[] => {
  const bands = [...(ageBands?.M ?? []), ...(ageBands?.F ?? [])]
  return [...new Set([undefined, 17, 18, 41, ...bands.flatMap(({ minAge, maxAge }) => [minAge, maxAge, maxAge + 1])])]
}

/** Written out here from the catalogue's words, not taken from the code that is tested. */
function catalogueInterval(biomarker: Biomarker, { sex, ageYears }: Subject): Interval | undefined {
  // The cut-off of one maker's assay judges no other.
  if (['assay_dependent', 'prefer_lab_reference'].every((flag) => biomarker.flags.some((one) => one === flag)))
    return undefined
  const ofSex = (one: Sex): Interval | undefined => {
    const band = biomarker.ageBands?.[one]?.find(
      ({ minAge, maxAge }) => ageYears !== undefined && ageYears >= minAge && ageYears <= maxAge,
    )
    if (band) return { low: band.low, high: band.high }
    return ageYears !== undefined && ageYears < 18 ? undefined : biomarker.reference?.[one]
  }
  if (sex) return ofSex(sex)
  if (ageYears !== undefined && ageYears < 18) return undefined
  const each = biomarker.sexes.map(ofSex)
  const known = each.filter((one) => one !== undefined)
  if (known.length < each.length) return undefined
  const [lows, highs] = [known.map(({ low }) => low), known.map(({ high }) => high)]
  const union = {
    low: lows.includes(null) ? null : Math.min(...lows.map(Number)),
    high: highs.includes(null) ? null : Math.max(...highs.map(Number)),
  }
  return boundsOf(union).length > 0 ? union : undefined
}

let turn = 0

function withFlags(found: VerdictCase, which: 'every' | 'in turn'): VerdictCase[] {
  turn++
  const others = which === 'every' ? inTurn : flagCodes.slice(1)
  const other = others[turn % others.length] ?? [undefined]
  const flags = [...(which === 'every' ? everyTurn : flagCodes.slice(0, 1)), other]
  return flags.map(([labFlag]) => ({ ...found, given: { ...found.given, ...(labFlag && { labFlag }) } }))
}

/** Around each limit of the catalogue's intervals, in the biomarker's unit. */
function* byCatalogue(biomarker: Biomarker): Generator<VerdictCase> {
  for (const ageYears of agesOf(biomarker)) {
    for (const sex of ['M', 'F', undefined] as const) {
      const subject = { ...(sex && { sex }), ...(ageYears !== undefined && { ageYears }) }
      const interval = catalogueInterval(biomarker, subject)
      const optimal = sex && biomarker.optimal?.[sex]
      const any = biomarker.reference?.M ?? biomarker.reference?.F ?? { low: biomarker.plausible.max / 2, high: null }
      const values = new Set(
        [...boundsOf(interval ?? any), ...boundsOf(optimal ?? any)].flatMap((x) => [...valuesAround(x)]),
      )
      for (const value of values) {
        if (!isReal(biomarker, value)) continue
        const given = { biomarkerId: biomarker.id, value, unit: biomarker.unit }
        const sides = [interval ? sideOf(interval, value) : ('' as const)]
        const isNear =
          ageYears === undefined && isNearest([...boundsOf(interval ?? any), ...boundsOf(optimal ?? any)], value)
        const flags = isNear ? 'every' : 'in turn'
        yield* withFlags({ biomarker, subject, given, sides, interval: interval ? 'catalogue' : 'none' }, flags)
      }
    }
  }
}

/** The same in each other unit: a bound that is printed in that unit is that bound, though it is rounded there. */
function* byUnit(biomarker: Biomarker): Generator<VerdictCase> {
  for (const { unit, factor, offset = 0, below } of biomarker.conversions) {
    for (const sex of biomarker.sexes) {
      const interval = catalogueInterval(biomarker, { sex, ageYears: 41 })
      if (!interval) continue
      for (const bound of boundsOf(interval)) {
        for (const value of new Set(valuesAround((bound - offset) / factor))) {
          const exact = Number((value * factor + offset).toPrecision(12))
          if (value <= 0 || !isReal(biomarker, exact) || (below !== undefined && value >= below)) continue
          // Half a step of the printed value reaches the bound: it may be that bound.
          const digits = String(value).split('.')[1]?.length ?? 0
          const mayBeBound = Math.abs(exact - bound) <= 0.5 * 10 ** -digits * factor * (1 + 1e-9)
          const sides = [...new Set([sideOf(interval, exact), ...(mayBeBound ? (['N'] as const) : [])])]
          const given = { biomarkerId: biomarker.id, value, unit }
          yield* withFlags(
            { biomarker, subject: { sex, ageYears: 41 }, given, sides, interval: 'catalogue' },
            'in turn',
          )
        }
      }
    }
  }
}

const signs = (low: number, high: number) => [`<${high}`, `>=${low}`, `${low}-${high}`, `>${low}-<${high}`]
const moreSigns = (low: number, high: number) => [`<=${high}`, `≤ ${high}`, `< OR = ${high}`, `>${low}`, `≥ ${low}`]

/** Around each bound that a laboratory prints, with every sign, in every unit, for an adult and a child. */
function* byLaboratory(biomarker: Biomarker): Generator<VerdictCase> {
  const units = [{ unit: biomarker.unit, factor: 1, offset: 0, below: undefined }, ...biomarker.conversions]
  const usual = biomarker.reference?.F ?? biomarker.reference?.M ?? biomarker.phases?.F[0]
  const top = usual?.high ?? (usual?.low ?? biomarker.plausible.max / 8) * 2
  const bottom = usual?.low || top / 3
  for (const { unit, factor, offset = 0, below } of units) {
    const isOwn = unit === biomarker.unit
    const [low = 0, high = 0] = [bottom, top].map((x) => Number(((x - offset) / factor).toPrecision(3)))
    for (const text of [...signs(low, high), ...(isOwn ? moreSigns(low, high) : [])]) {
      const labRange = low > 0 && low < high ? rangeOf(text) : undefined
      if (!labRange) continue
      const values = new Set(boundsOf(labRange).flatMap((x) => [...valuesAround(x)]))
      for (const value of values) {
        if (value <= 0 || (below !== undefined && value >= below)) continue
        if (!isReal(biomarker, convert(biomarker, value, unit)?.value ?? Number.NaN)) continue
        const given = { biomarkerId: biomarker.id, value, unit, labRange }
        const found = { biomarker, given, sides: [sideOf(labRange, value)], interval: 'lab' as const }
        yield* withFlags(
          { ...found, subject: { sex: 'F', ageYears: 41 } },
          isOwn && isNearest(boundsOf(labRange), value) ? 'every' : 'in turn',
        )
        if (isOwn && text.includes('-')) yield* withFlags({ ...found, subject: { sex: 'M', ageYears: 9 } }, 'in turn')
      }
    }
  }
}

/** Every case of one biomarker whose results are numbers. */
export function* verdictCases(biomarker: Biomarker): Generator<VerdictCase> {
  yield* byCatalogue(biomarker)
  yield* byUnit(biomarker)
  yield* byLaboratory(biomarker)
}
