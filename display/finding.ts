import { type Interval, isInside } from './interval.ts'

/** A result that is no number. */
export interface Finding {
  kind: 'presence' | 'grade' | 'text'
  value: string
}

/** `Positive`, `2+`, `Trace`; a text as it is. */
export const findingText = ({ kind, value }: Finding): string =>
  kind === 'text' ? value : `${value.charAt(0).toUpperCase()}${value.slice(1)}`

interface Step {
  label: string
  /** Of a finding, such as `negative`; absent of a number. */
  value?: string
  zone: 'good' | 'poor' | 'unknown'
  isResult: boolean
}

interface Shown {
  finding?: Finding | undefined
  kind?: string | undefined
  result?: number | null | undefined
  expected?: { values: readonly string[] } | undefined
}

const scales: Record<string, readonly string[]> = {
  presence: ['negative', 'indeterminate', 'positive'],
  grade: ['negative', 'trace', '1+', '2+', '3+', '4+'],
}

/** The steps of a result that is no plain number, from the least to the most; none of a text. */
function stepsOf({ finding, kind, result, expected }: Shown, inRange: Interval | null): Step[] {
  if (finding) {
    const normal = expected?.values ?? []
    const all = scales[finding.kind] ?? []
    const shown = all.filter((value) => value !== 'indeterminate' || finding.value === value)
    return shown.map((value) => ({
      // Six steps share the width of two.
      label: finding.kind === 'grade' && value === 'negative' ? 'Neg' : findingText({ ...finding, value }),
      value,
      zone: zoneOf(normal.length === 0 || value === 'indeterminate', normal.includes(value)),
      isResult: value === finding.value,
    }))
  }
  if (kind !== 'titre' || result === null || result === undefined) return []
  return titresAround(result, inRange).map((value) => ({
    label: `1:${value}`,
    zone: zoneOf(!inRange, inRange ? isInside(inRange, value) : false),
    isResult: value === result,
  }))
}

const zoneOf = (isUnknown: boolean, isNormal: boolean): Step['zone'] =>
  isUnknown ? 'unknown' : isNormal ? 'good' : 'poor'

/** Laboratories dilute by halves. */
const FIRST_TITRE = 40
const LEAST_STEPS = 5
const MOST_STEPS = 8

function titresAround(result: number, inRange: Interval | null): number[] {
  const titres = [Math.min(FIRST_TITRE, result)]
  const last = Math.max(result, inRange?.high ?? 0)
  for (let titre = FIRST_TITRE; titres.length < LEAST_STEPS || titre <= last; titre *= 2) titres.push(titre)
  return [...new Set([...titres, result])].sort((a, b) => a - b).slice(-MOST_STEPS)
}

export interface PlacedStep extends Step {
  /** From 0 (left) to 1 (right). */
  from: number
  to: number
}

/** The same side by side. */
export function placedSteps(shown: Shown, inRange: Interval | null): PlacedStep[] {
  const steps = stepsOf(shown, inRange)
  return steps.map((step, index) => ({ ...step, from: index / steps.length, to: (index + 1) / steps.length }))
}
