import { t } from '../../language/t.ts'

interface Bounds {
  low: number | null
  high: number | null
  lowExclusive?: boolean | undefined
  highExclusive?: boolean | undefined
}

/** An interval in words: "70 to 99", "up to 5", "40 and more", "below 5.7". */
export function boundsText(bounds: Bounds | null | undefined): string {
  if (!bounds) return t('no range')
  const { low, high, lowExclusive, highExclusive } = bounds
  if (low === null && high === null) return t('no range')
  if (high === null) return lowExclusive ? t('above {low}', { low: low ?? 0 }) : t('{low} and more', { low: low ?? 0 })
  if (low === null) return highExclusive ? t('below {high}', { high }) : t('up to {high}', { high })
  if (lowExclusive && highExclusive) return t('above {low} to below {high}', { low, high })
  if (lowExclusive) return t('above {low} to {high}', { low, high })
  return highExclusive ? t('{low} to below {high}', { low, high }) : t('{low} to {high}', { low, high })
}
