import type { paths } from '@kitlane/client'

/** A biomarker as the catalogue defines it. */
export type Definition =
  paths['/operator/v1/biomarkers/{biomarkerID}/versions']['get']['responses'][200]['content']['application/json'][number]['definition']

export type Sex = 'F' | 'M'
export const sexNames: Record<Sex, string> = { F: 'Women', M: 'Men' }
