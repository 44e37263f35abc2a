import { normaliseUnit } from '@kitlane/lab-reader/facts/convert'
import type { BiomarkerEntry, Report } from '../schema.ts'

/**
 * The units that a report is read in: those in which the laboratory reported, those of laboratories in the US, in which the
 * catalogue keeps its ranges, or those of the SI.
 */
export const unitSystems = ['reported', 'conventional', 'si'] as const
export type UnitSystem = (typeof unitSystems)[number]

/** Another unit of a biomarker: a value in it is `value × factor + offset`. */
export type OtherUnit = BiomarkerEntry['commonAlternativeUnits'][number]

type Measured = Pick<
  BiomarkerEntry,
  'unit' | 'displayUnit' | 'rawUnit' | 'type' | 'kind' | 'finding' | 'result' | 'commonAlternativeUnits'
>

// Litres, and what laboratories outside of the US print: enzymes stay in U/L, since few places use µkat/L.
const si = /^(mmol\/mol|[munp]?mol\/L|[mun]?g\/L|10\*(9|12)\/L|L\/L|[mk]?\[IU\]\/L|U\/L)$/
// What a system of units makes a difference for: not shares, ratios, times and sizes of cells.
const isConcentration = (unit: string) => /\/(d|m|u)L$/.test(unit)

const isSame = (a: string, b: string) => normaliseUnit(a) === normaliseUnit(b)
const isNumber = ({ finding, kind, result }: Measured) => !finding && kind === undefined && result !== null

/** The SI unit where it is another one: the first that the catalogue lists. Undefined also where it knows no factor. */
function siUnit({ unit, commonAlternativeUnits }: Measured): OtherUnit | undefined {
  return si.test(unit) ? undefined : commonAlternativeUnits.find((other) => si.test(other.unit))
}

/** The unit that a value is shown in where it is another than the report's. `all`: of its report. */
export function unitIn(system: UnitSystem, entry: Measured, all: Report['biomarker']): OtherUnit | undefined {
  if (!isNumber(entry) || system === 'conventional') return undefined
  if (system === 'si') return siUnit(entry)
  if (entry.type === 'calculated') return unitOfPeers(entry, all)
  if (isSame(entry.rawUnit, entry.unit)) return undefined
  return entry.commonAlternativeUnits.find(({ unit }) => isSame(unit, entry.rawUnit))
}

/** What was computed from values in mmol/L is shown in mmol/L: if all values that could be in either were reported so. */
function unitOfPeers(entry: Measured, all: Report['biomarker']): OtherUnit | undefined {
  const wanted = siUnit(entry)
  const peers = all.filter(
    (one) => one.type === 'measured' && isNumber(one) && one.unit === entry.unit && siUnit(one)?.unit === wanted?.unit,
  )
  const areSi = peers.length > 0 && peers.every((one) => isSame(one.rawUnit, siUnit(one)?.unit ?? ''))
  return wanted && areSi ? wanted : undefined
}

/** Whether a value stays in the report's unit only because no factor to the wanted one is known. */
export function lacksFactor(system: UnitSystem, entry: Measured): boolean {
  if (!isNumber(entry) || system === 'conventional') return false
  if (system === 'si') return !siUnit(entry) && isConcentration(entry.unit)
  return entry.type === 'measured' && entry.displayUnit !== '' && !isSame(entry.rawUnit, entry.unit)
}
