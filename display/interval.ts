/** Bounds in the unit of the biomarker; null is no limit on that side. A bound itself lies inside, unless it is exclusive. */
export interface Interval {
  low: number | null
  high: number | null
  lowExclusive?: boolean
  highExclusive?: boolean
}

/** `70 – 99`, `≤ 5.6`, `< 5.7`, `≥ 40`; empty without bounds. */
export function intervalText(
  { low, high, lowExclusive, highExclusive }: Interval,
  number: (value: number) => string = String,
): string {
  if (low !== null && high !== null)
    return `${lowExclusive ? '> ' : ''}${number(low)} – ${highExclusive ? '< ' : ''}${number(high)}`
  if (high !== null) return `${highExclusive ? '<' : '≤'} ${number(high)}`
  return low === null ? '' : `${lowExclusive ? '>' : '≥'} ${number(low)}`
}

/** Whether a value lies in an interval: a bound itself does, unless it is exclusive. */
export function isInside({ low, high, lowExclusive, highExclusive }: Interval, value: number): boolean {
  const isAbove = low === null || value > low || (value === low && !lowExclusive)
  return isAbove && (high === null || value < high || (value === high && !highExclusive))
}
