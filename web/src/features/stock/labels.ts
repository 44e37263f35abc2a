import type { Answer } from '@kitlane/client'
import { t } from '../../language/t.ts'

export type Movement = Answer<'get', '/operator/v1/stock/boxes/{code}'>['movements'][number]
export type Reason = NonNullable<Movement['reason']>

export const stateWords = { inStock: t('In stock'), bound: t('On a kit'), writtenOff: t('Written off') } as const

export const kindWords: Record<Movement['kind'], string> = {
  received: t('Received'),
  transferred: t('Moved'),
  countedFound: t('Found by a count'),
  countedMissing: t('Missing in a count'),
  adjusted: t('Adjusted'),
  bound: t('Packed for a kit'),
  unbound: t('Taken off its kit'),
}

export const reasonWords: Record<Reason, string> = {
  damaged: t('Damaged'),
  lost: t('Lost'),
  expired: t('Expired'),
  found: t('Found'),
  sample: t('Given away as a sample'),
  other: t('Other'),
}
