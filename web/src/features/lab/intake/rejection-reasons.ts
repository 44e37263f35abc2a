import { t } from '../../../language/t.ts'
/** Why a sample can be rejected, in the order of the number keys. */
export const reasons = [
  ['hemolysis', t('Hemolysis')],
  ['qns', t('Too little sample')],
  ['delayed', t('Delayed on the way')],
  ['clotted', t('Clotted')],
  ['unlabeled', t('Not labeled, or labeled wrongly')],
  ['contaminated', t('Contaminated')],
  ['other', t('Another reason')],
] as const

/** A single digit is a reason: no code of a kit or a carrier is that short. */
export const reasonOf = (typed: string) => (/^\d$/.test(typed) ? reasons[Number(typed) - 1] : undefined)
