import type { Zone } from '@kitlane/display/gauge'

/** Points; A4 is 595 by 842. */
export const page = { left: 40, right: 555, top: 44, bottom: 782, width: 515 } as const

export const ink = {
  text: '#1f2933',
  soft: '#52606d',
  faint: '#9aa5b1',
  line: '#d9dfe6',
  accent: '#334e68',
  warning: '#8a4b00',
  warningBack: '#fff6e5',
} as const

export const zoneColors: Record<Zone, string> = {
  optimal: '#3b9c74',
  good: '#a9d9c0',
  fair: '#f4cf78',
  poor: '#ecb4a8',
}

/** Of results that are no numbers. */
export const stepColors = { good: zoneColors.good, poor: zoneColors.poor, unknown: '#e4e8ec' } as const

/** Dark enough to be read as text on white. */
export const verdictColors = {
  optimal: '#1f7a55',
  good: '#33705a',
  fair: '#8a5a00',
  poor: '#a83a28',
  unknown: '#52606d',
} as const
