import type { Customer } from '../../api/shapes.ts'

export type Sex = NonNullable<Customer['gender']>

export const sexLabels: Record<Sex, string> = { F: 'Female', M: 'Male', X: 'Other or not stated' }

export const sexOptions = (['F', 'M', 'X'] as const).map((value) => ({ value, label: sexLabels[value] }))
