const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const LINK_VALID_MS = 90 * DAY_MS
export const SESSION_VALID_MS = 30 * MINUTE_MS
export const LOCKED_MS = HOUR_MS
export const TRIES_BEFORE_LOCK = 5
// Three locks. There are some 30,000 dates of birth: whoever reads along in a mailbox does not get far.
export const TRIES_IN_ALL = 15
export const RENEWALS_A_DAY = 5
export const RENEWAL_WINDOW_MS = DAY_MS

export interface LinkState {
  expiresAt: Date
  wrongTries: number
  lockedUntil: Date | null
}

/** What a link is good for at this moment. */
export function standingOf({ expiresAt, lockedUntil }: LinkState, now: Date): 'open' | 'locked' | 'ended' {
  if (expiresAt <= now) return 'ended'
  return lockedUntil !== null && lockedUntil > now ? 'locked' : 'open'
}

/** A link after one more wrong date of birth: locked for an hour at each fifth, ended at the fifteenth. */
export function afterWrongTry(link: LinkState, now: Date): LinkState {
  const wrongTries = link.wrongTries + 1
  if (wrongTries >= TRIES_IN_ALL) return { ...link, wrongTries, expiresAt: now }
  if (wrongTries % TRIES_BEFORE_LOCK > 0) return { ...link, wrongTries }
  return { ...link, wrongTries, lockedUntil: new Date(now.getTime() + LOCKED_MS) }
}
