import type { Customer } from '../../api/shapes.ts'
import { t } from '../../language/t.ts'

export type Sex = NonNullable<Customer['gender']>

export const sexLabels: Record<Sex, string> = { F: t('Female'), M: t('Male'), X: t('Other or not stated') }

export const sexOptions = (['F', 'M', 'X'] as const).map((value) => ({ value, label: sexLabels[value] }))
