const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const LINK_VALID_MS = 90 * DAY_MS
export const SESSION_VALID_MS = 30 * MINUTE_MS
export const LOCKED_MS = HOUR_MS
export const TRIES_BEFORE_LOCK = 5
// A link ends then. There are some 30,000 dates of birth: whoever reads along in a mailbox does not get far.
export const TRIES_OF_A_LINK = 15
// Of one person by whichever link, and from one network about whomever: a clinic's own may be behind one address.
export const TRIES_A_DAY = { person: 10, network: 50 } as const
export const TRIES_WINDOW_MS = DAY_MS
export const RENEWALS_A_DAY = 5
export const RENEWAL_WINDOW_MS = DAY_MS

export interface LinkState {
  expiresAt: Date
  wrongTries: number
}

/** Whether a link still leads anywhere. */
export const hasEnded = ({ expiresAt }: LinkState, now: Date): boolean => expiresAt <= now

/** A link after one more wrong date of birth: it ends at the fifteenth. */
export function afterWrongTry(link: LinkState, now: Date): LinkState {
  const wrongTries = link.wrongTries + 1
  return { ...link, wrongTries, ...(wrongTries >= TRIES_OF_A_LINK && { expiresAt: now }) }
}

/** When dates of birth were wrong within the last day, newest first. */
export interface Failures {
  ofPerson: readonly Date[]
  fromNetwork: readonly Date[]
}

/** Until when no date of birth is taken: an hour after five within an hour; a day after the first of too many in a day. */
export function lockedUntil({ ofPerson, fromNetwork }: Failures, now: Date): Date | null {
  const within = (failures: readonly Date[], count: number, ms: number) => {
    const first = failures[count - 1]
    return first !== undefined && first.getTime() > now.getTime() - ms ? first : undefined
  }
  const ends = [
    [within(ofPerson, TRIES_BEFORE_LOCK, LOCKED_MS) && ofPerson[0], LOCKED_MS] as const,
    [within(ofPerson, TRIES_A_DAY.person, TRIES_WINDOW_MS), TRIES_WINDOW_MS] as const,
    [within(fromNetwork, TRIES_A_DAY.network, TRIES_WINDOW_MS), TRIES_WINDOW_MS] as const,
  ].flatMap(([from, ms]) => (from ? [from.getTime() + ms] : []))
  return ends.length > 0 ? new Date(Math.max(...ends)) : null
}
