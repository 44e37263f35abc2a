import { isDeepStrictEqual } from 'node:util'
import type { Converted } from '../../catalogue/convert.ts'
import type { Finding } from '../../catalogue/finding-schema.ts'
import type { Biomarker } from '../../catalogue/schema.ts'
import type { Observation } from '../parse/parsed.ts'
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

/** One result per biomarker: equal ones count once, a corrected one replaces the others, and a person decides the rest. */
export function resolveDuplicates(candidates: readonly Candidate[]): Resolved {
  const byBiomarker = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const { id } = candidate.biomarker
    const same = byBiomarker.get(id)
    if (same) same.push(candidate)
    else byBiomarker.set(id, [candidate])
  }
  const resolved: Resolved = { kept: [], left: [] }
  for (const same of byBiomarker.values()) resolveSame(same, resolved)
  return resolved
}

function resolveSame(same: readonly Candidate[], resolved: Resolved): void {
  const corrected = same.filter(({ observation }) => observation.status === 'corrected')
  const rest = same.filter(({ observation }) => observation.status !== 'corrected')
  const counting = corrected.length > 0 ? corrected : same
  // The one in the catalogue's own unit is the least rounded.
  const [best] = [...counting].sort((a, b) => Number(isConverted(a)) - Number(isConverted(b)))
  if (!best) return
  if (counting.every((one) => isEqual(one, best))) {
    const many = counting.length > 1 ? [`The file holds it ${counting.length} times with the same value`] : []
    resolved.kept.push({ ...best, why: [...best.why, ...many] })
    if (corrected.length === 0) return
    resolved.left.push(...rest.map((candidate) => ({ candidate, reason: 'replaced' as const })))
  } else {
    resolved.left.push(...same.map((candidate) => ({ candidate, reason: 'differentValues' as const })))
  }
}

const isConverted = (one: Candidate) => 'converted' in one && one.converted.factor !== 1

function isEqual(a: Candidate, b: Candidate): boolean {
  if ('finding' in a || 'finding' in b) {
    return 'finding' in a && 'finding' in b && isDeepStrictEqual(a.finding, b.finding)
  }
  if (a.observation.comparator !== b.observation.comparator) return false
  const far = Math.abs(exact(a) - exact(b))
  return far <= (a.unit === b.unit ? 1e-9 : precision(a) + precision(b))
}

const exact = ({ observation, converted }: NumberCandidate) =>
  (observation.value ?? Number.NaN) * converted.factor + converted.offset

/** Half a step of the last printed digit, in the biomarker's unit. */
function precision({ observation, converted }: NumberCandidate): number {
  const decimals = /\.(\d+)/.exec(String(observation.value))?.[1]?.length ?? 0
  return 0.5 * 10 ** -decimals * converted.factor
}
