/** Why a sample can be rejected, in the order of the number keys. */
export const reasons = [
  ['hemolysis', 'Hemolysis'],
  ['qns', 'Too little sample'],
  ['delayed', 'Delayed on the way'],
  ['clotted', 'Clotted'],
  ['unlabeled', 'Not labeled, or labeled wrongly'],
  ['contaminated', 'Contaminated'],
  ['other', 'Another reason'],
] as const

/** A single digit is a reason: no code of a kit or a carrier is that short. */
export const reasonOf = (typed: string) => (/^\d$/.test(typed) ? reasons[Number(typed) - 1] : undefined)
