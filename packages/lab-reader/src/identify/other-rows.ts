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
