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

export type Reason = (typeof reasons)[number][0]

/** A number alone is a reason: no code of a kit or a carrier has one digit. */
export const reasonOf = (typed: string) => (/^\d$/.test(typed) ? reasons[Number(typed) - 1] : undefined)
