import { isDeepStrictEqual } from 'node:util'
import type { Converted } from '../facts/convert.ts'
import type { Finding } from '../facts/finding-schema.ts'
import type { Biomarker } from '../facts/schema.ts'
import { specimensIn } from '../facts/specimens.ts'
import type { Observation } from '../parse/parsed.ts'
import { isTakenBack } from '../parse/status.ts'
import { decideStanding, type Statement } from '../standing/standing.ts'
import { orderedTimes, statementStatus } from '../standing/statement.ts'
import type { Reason } from './reasons.ts'

interface Identified {
  observation: Observation
  biomarker: Biomarker
  why: string[]
}

export interface NumberCandidate extends Identified {
  unit: string
  converted: Converted
}

export interface FindingCandidate extends Identified {
  finding: Finding
  /** What the laboratory printed as expected. */
  labExpected?: readonly string[]
}

/** An observation that may become a result of a biomarker. */
export type Candidate = NumberCandidate | FindingCandidate

export interface Resolved {
  kept: Candidate[]
  left: { candidate: Candidate; reason: Reason }[]
}

/** A withdrawal in the same file, or what may not be used: what that corrects does not count instead. */
export interface WithoutValue {
  biomarkerId: string
  observation: Observation
}

type Said = Statement & { candidate?: Candidate }

/**
 * One result per biomarker: equal ones count once, a withdrawal takes what stands before it, corrected counts over final over
 * preliminary, and a person decides the rest. `places`: where each observation stands in the file.
 */
export function resolveDuplicates(
  candidates: readonly Candidate[],
  withoutValue: readonly WithoutValue[],
  places: ReadonlyMap<Observation, number>,
): Resolved {
  const said = (observation: Observation, status: Statement['status']) => ({
    status,
    document: 0,
    sequence: places.get(observation) ?? 0,
    ...orderedTimes(observation),
  })
  const all: [string, Said][] = [
    ...candidates.map((candidate): [string, Said] => {
      const { observation, biomarker } = candidate
      return [biomarker.id, { ...said(observation, statementStatus(observation)), candidate }]
    }),
    ...withoutValue.map(({ biomarkerId, observation }): [string, Said] => {
      const status = isTakenBack(observation) ? 'withdrawn' : statementStatus(observation)
      return [biomarkerId, said(observation, status)]
    }),
  ]
  const resolved: Resolved = { kept: [], left: [] }
  for (const same of Map.groupBy(all, ([id]) => id).values()) {
    resolveSame(
      same.map(([, one]) => one),
      resolved,
    )
  }
  return resolved
}

function resolveSame(same: readonly Said[], resolved: Resolved): void {
  const { stands, rivals } = decideStanding(same)
  const isCounting = (one: Said) => one === stands || rivals.includes(one)
  const counting = same.filter(isCounting).flatMap(({ candidate }) => candidate ?? [])
  const rest = same.filter((one) => !isCounting(one)).flatMap(({ candidate }) => candidate ?? [])
  // The one in the catalogue's own unit is the least rounded.
  const [best] = [...counting].sort((a, b) => Number(isConverted(a)) - Number(isConverted(b)))
  const isTaken = stands?.status === 'withdrawn'
  const reason = isTaken
    ? 'withdrawn'
    : !best
      ? 'differentValues'
      : stands?.status === 'corrected'
        ? 'replaced'
        : 'replacedByFinal'
  resolved.left.push(...rest.map((candidate) => ({ candidate, reason }) as const))
  if (!best) return
  if (counting.every((one) => isEqual(one, best))) {
    const many = counting.length > 1 ? [`The file holds it ${counting.length} times with the same value`] : []
    resolved.kept.push({ ...best, why: [...best.why, ...many] })
    const elsewhere = counting.filter((one) => 'finding' in one && isOfOtherSpecimen(one, best))
    resolved.left.push(...elsewhere.map((candidate) => ({ candidate, reason: 'otherSpecimen' as const })))
  } else {
    resolved.left.push(...counting.map((candidate) => ({ candidate, reason: 'differentValues' as const })))
  }
}

/** A swab of the throat beside urine: that both are negative are two answers, of which one place in the catalogue holds one. */
function isOfOtherSpecimen({ observation }: Candidate, best: Candidate): boolean {
  const [one, other] = [observation, best.observation].map(({ specimen }) => specimensIn(specimen) ?? [])
  return Boolean(one?.length && other?.length) && !isDeepStrictEqual(new Set(one), new Set(other))
}

const isConverted = (one: Candidate) => 'converted' in one && one.converted.factor !== 1

/** Whether two say the same, as far as they are printed. */
export function isEqual(a: Candidate, b: Candidate): boolean {
  if ('finding' in a || 'finding' in b) {
    return 'finding' in a && 'finding' in b && isDeepStrictEqual(a.finding, b.finding)
  }
  if (a.observation.comparator !== b.observation.comparator) return false
  const far = Math.abs(exact(a) - exact(b))
  if (a.unit === b.unit) return far <= 1e-9
  const mixed = a.biomarker.id === 'triglycerides' ? OF_MIXTURE * Math.abs(exact(a)) : 0
  return far <= Math.min(precision(a) + precision(b) + mixed, MOST_ROUNDED * Math.abs(exact(a)))
}

/** Triglycerides are a mixture: in France a mole of them has 875 g, elsewhere 885.7. */
const OF_MIXTURE = 885.7 / 875 - 1

const exact = ({ observation, converted }: NumberCandidate) =>
  (observation.value ?? Number.NaN) * converted.factor + converted.offset

/** Two units of one measurement differ by rounding, and by no more than this: bilirubin of 0.5 mg/dL is 9 µmol/L, or 0.526. */
const MOST_ROUNDED = 0.06

/** Half a step of the last printed digit, in the biomarker's unit. */
function precision({ observation, converted }: NumberCandidate): number {
  const printed = /\d[.,](\d+)\D*$/.exec(observation.valueText)?.[1] ?? /\.(\d+)/.exec(String(observation.value))?.[1]
  const decimals = printed?.length ?? 0
  return 0.5 * 10 ** -decimals * converted.factor
}
