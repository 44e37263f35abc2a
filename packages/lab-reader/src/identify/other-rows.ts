import { convert } from '../facts/convert.ts'
import { matchName } from '../facts/guarded-match.ts'
import { normaliseName } from '../facts/match.ts'
import { holds } from '../facts/ranges.ts'
import type { Biomarker } from '../facts/schema.ts'
import type { Observation } from '../parse/parsed.ts'
import type { Candidate } from './duplicates.ts'

const ofD2 = /(?<![\p{L}\p{N}])d[ -]?2(?!\p{N})/iu
const ofD3 = /(?<![\p{L}\p{N}])d[ -]?3(?!\p{N})/iu
const isPart = ({ name }: Observation) =>
  ofD3.test(name) && !ofD2.test(name) && !/(?<!\p{L})(?:total|gesamt)/iu.test(name)

/**
 * "25-OH Vitamin D3" is what many laboratories call all vitamin D. Beside a row of D2, or of vitamin D under another name, it is the part
 * that D3 has in the sum.
 */
export function withPartOfVitaminD(
  candidates: readonly Candidate[],
  observations: Iterable<Observation>,
  catalogue: readonly Biomarker[],
): readonly Candidate[] {
  const whole = candidates.filter(({ biomarker }) => biomarker.id === 'vitamin_d')
  const part = catalogue.find(({ id }) => id === 'calcidiol')
  if (!part || !whole.some(({ observation }) => isPart(observation))) return candidates
  const isSplit =
    whole.some(({ observation }) => !isPart(observation)) ||
    [...observations].some(({ name }) => ofD2.test(name) && !ofD3.test(name))
  return candidates.map((one) => {
    if (!isSplit || !whole.includes(one) || !isPart(one.observation) || !('unit' in one)) return one
    const converted = convert(part, one.observation.value ?? Number.NaN, one.unit)
    return converted ? { ...one, biomarker: part, converted } : one
  })
}

/** "Signal to cutoff", "HIV Ag/Ab index", "Anti-HCV (S/CO)". */
const signalWords =
  /[\s,(/–-]*(?<![\p{L}\d])(?:s ?\/ ?c(?:\/?o)?|coi|signal[ -]?(?:to|\/)[ -]?cut-?off(?: ratio)?|(?:cut-?off )?index(?: value)?)\)?\s*$/iu
const signalUnit = /^(?:s ?\/ ?c(?:\/?o)?|coi|index)$/iu

/**
 * The answers that the signal in a row of its own contradicts, each with that signal: "non-reactive" above 14.2 S/CO. The signal is a
 * component of the answer, names the same test, or stands below it without a name.
 */
export function contradictedBySignal(
  candidates: readonly Candidate[],
  observations: readonly Observation[],
  catalogue: readonly Biomarker[],
): Map<Candidate, string> {
  const against = new Map<Candidate, string>()
  for (const [at, row] of observations.entries()) {
    if (row.value === undefined || !(signalWords.test(row.name) || signalUnit.test(row.unit ?? ''))) continue
    const named = row.name.replace(signalWords, '').trim()
    const above = observations[at - 1]
    const isOf = ({ observation, biomarker }: Candidate) =>
      row.position.startsWith(`${observation.position}, component`) ||
      (named === ''
        ? observation === above
        : normaliseName(named) === normaliseName(observation.name) ||
          matchName(catalogue, named)?.biomarker === biomarker)
    for (const one of candidates)
      if ('finding' in one && one.observation !== row && isOf(one) && isOtherSide(one.finding.value, row.value, row))
        against.set(one, row.raw)
  }
  return against
}

/** One limit says what is expected of the signal, two are those of doubt. Without any the cut-off is 1. */
function isOtherSide(value: unknown, signal: number, { range, rangeText = '' }: Observation): boolean {
  const isSingle = range && (range.low === null) !== (range.high === null)
  const cutOff = range?.low ?? Number(/\d+(?:[.,]\d+)?/.exec(rangeText)?.[0].replace(',', '.') ?? 1)
  const isNegative = isSingle ? holds(range, signal) : signal < cutOff
  return (value === 'negative' && !isNegative) || (value === 'positive' && isNegative)
}

/** From here on, in mg/dL, LDL cannot be calculated by Friedewald: 400 mg/dL, which laboratories also print as 4.5 mmol/L. */
const MOST_TRIGLYCERIDES = 398
/** What the formula may miss for rounding of its three parts, in mg/dL: 0.05 mmol/L is 1.9. */
const ROUNDED = 3
const calculated =
  /(?<!\p{L})(?:calc|kalk|berek?e?[cn]|errechn|formel|formul|estim|wyliczon|obliczon|vypoč|beräkn|beregn|laskennallinen|hesapla|friedew)/iu
/** Measured, or by a formula that holds above that limit. "Direct LDL is recommended" says that it was not measured. */
const otherwise = /(?<!\p{L})(?:d[iè]re[ck]t|dirett|homogen|martin|hopkins|sampson|nih)/iu
const wasMeasured =
  /(?:measured|determined|performed|gemessen|bestimmt|gemeten|mesuré|dosé|medid[oa]|misurat[oa])\b[^.;]{0,30}\bd[iè]re[ckt]t|(?:martin|hopkins|sampson|nih)/iu
/** "Calculation invalid when triglycerides exceed 4.5 mmol/L", and in which unit. */
const limitNamed = /(?<!\p{L})tri(?:acyl)?gl[iyí][cskz]\p{L}*[^.;\d]{0,40}?(\d+(?:[.,]\d+)?)\s*(mmol\/l|mg\/dl|g\/l)/iu

/**
 * A calculated LDL or VLDL of a sample with more triglycerides than the formula bears, and why it may not be used: by its name or note,
 * by the limit that its note names, or because it is the number that the formula of Friedewald gives. `held` may hold the triglycerides.
 */
export function contradictedByTriglycerides(
  candidates: readonly Candidate[],
  held: readonly Candidate[],
): Map<Candidate, string> {
  const numbers = [...candidates, ...held].flatMap((one) => ('converted' in one ? one : []))
  const numberOf = (id: string) => numbers.find(({ biomarker }) => biomarker.id === id)?.converted.value ?? Number.NaN
  const row = numbers.find(({ biomarker }) => biomarker.id === 'triglycerides')
  const triglycerides = numberOf('triglycerides')
  const byFormula: Readonly<Record<string, number>> = {
    ldl: numberOf('total_cholesterol') - numberOf('hdl') - triglycerides / 5,
    vldl: triglycerides / 5,
    ldl_hdl_ratio: Number.NaN,
  }
  const against = new Map<Candidate, string>()
  if (!row || row.observation.comparator?.startsWith('<')) return against
  for (const one of candidates) {
    const formula = byFormula[one.biomarker.id]
    if (formula === undefined || !('converted' in one)) continue
    const { name, alsoCalled = [], comment = '', said } = one.observation
    const called = [name, ...alsoCalled, said?.method ?? ''].join(' / ')
    const note = `${comment} / ${said?.comment ?? ''}`
    const [, limit = '', unit = ''] = limitNamed.exec(note) ?? []
    const named = convert(row.biomarker, Number(limit.replace(',', '.')), unit)?.value
    if (otherwise.test(called) || wasMeasured.test(note) || triglycerides < (named ?? MOST_TRIGLYCERIDES)) continue
    const isFormula = Math.abs(formula - one.converted.value) <= ROUNDED
    const isOfLdl =
      one.biomarker.id === 'ldl_hdl_ratio' && [...against.keys()].some(({ biomarker }) => biomarker.id === 'ldl')
    if (named !== undefined || calculated.test(called + note) || isFormula || isOfLdl)
      against.set(one, `it is calculated from triglycerides, which are ${row.observation.valueText} ${row.unit}`)
  }
  return against
}

/** What EDTA leaves of each, in its own unit: total calcium 1.9 mmol/L, ionized 0.9. */
const boundByEdta: Readonly<Record<string, number>> = { calcium: 7.6, calcium_ionized: 0.9 }
/** In mmol/L, far above what is measured with such a calcium unless the tube was that of the blood count. */
const MOST_POTASSIUM = 7

/**
 * A potassium and a calcium that contradict life together, whatever tube is named: the EDTA of the blood count is a salt of potassium and
 * binds calcium (Cornes MP, Ford C, Gama R, Ann Clin Biochem 2008;45:601-603). `implausible` are those that are no result for themselves.
 */
export function spoiltTogether(
  candidates: readonly Candidate[],
  held: readonly Candidate[],
  implausible: ReadonlySet<string>,
): Map<Candidate, string> {
  const numbers = [...candidates, ...held].flatMap((one) => ('converted' in one ? one : []))
  const isBound = ({ biomarker: { id }, converted }: (typeof numbers)[number]) =>
    converted.value < (boundByEdta[id] ?? Number.NaN)
  const isHigh = ({ biomarker: { id }, converted }: (typeof numbers)[number]) =>
    id === 'potassium' && converted.value > MOST_POTASSIUM
  const [low, high] = [numbers.some(isBound), numbers.some(isHigh)]
  const isLow = low || Object.keys(boundByEdta).some((id) => implausible.has(id))
  if (!(high && isLow) && !(low && implausible.has('potassium'))) return new Map()
  const spoilt = numbers.filter((one) => candidates.includes(one) && (isBound(one) || isHigh(one)))
  return new Map(spoilt.map((one) => [one, 'potassium and calcium are as the EDTA of another tube makes them']))
}
