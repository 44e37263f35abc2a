/** What a laboratory's flag, or the value itself, says of the reference interval. */
export type Interpretation = 'N' | 'L' | 'H' | 'LL' | 'HH' | 'A' | 'AA' | ''

export const criticalFlags: readonly string[] = ['LL', 'HH', 'AA'] satisfies Interpretation[]
export const isCritical = (interpretation: string): boolean => criticalFlags.includes(interpretation)

/** The flags that stand for a finding, in words. */
export const flagWords = {
  L: 'low',
  H: 'high',
  LL: 'critically low',
  HH: 'critically high',
  A: 'abnormal',
  AA: 'critically abnormal',
} satisfies Partial<Record<Interpretation, string>>
