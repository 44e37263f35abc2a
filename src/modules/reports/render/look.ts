import type { Zone } from '@kitlane/display/gauge'

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
