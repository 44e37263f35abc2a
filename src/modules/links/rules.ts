const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const LINK_VALID_MS = 90 * DAY_MS
export const SESSION_VALID_MS = 30 * MINUTE_MS
// Of one person, by whichever of their own links, or of one shared report.
const TRIES_AN_HOUR = 5

// The same in a day, and from one network about all persons: all of a clinic may be behind one address.
export const TRIES_A_DAY = { person: 10, network: 50 } as const
export const TRIES_WINDOW_MS = DAY_MS
export const RENEWALS_A_DAY = 5
export const RENEWAL_WINDOW_MS = DAY_MS

/**
 * Before the secrets of a link to one report, and of its visits, when they are hashed: in the place of a link to all of a person's
 * pages they are unknown, also to a process of a release that knows no shared reports.
 */
export const SHARE = 'share:'

export interface LinkState {
  expiresAt: Date
  wrongTries: number
}

/** Whether a link still leads anywhere. */
export const hasEnded = ({ expiresAt }: LinkState, now: Date): boolean => expiresAt <= now

/** When dates of birth were wrong within the last day, newest first. */
export interface Failures {
  ofPerson: readonly Date[]
  fromNetwork: readonly Date[]
}

/** Whether no date of birth is taken now: too many were wrong within the last hour, or day. */
export function isLocked({ ofPerson, fromNetwork }: Failures, now: Date): boolean {
  const reach = (failures: readonly Date[], count: number, ms: number) => {
    const oldest = failures[count - 1]
    return oldest !== undefined && oldest.getTime() > now.getTime() - ms
  }
  return (
    reach(ofPerson, TRIES_AN_HOUR, HOUR_MS) ||
    reach(ofPerson, TRIES_A_DAY.person, TRIES_WINDOW_MS) ||
    reach(fromNetwork, TRIES_A_DAY.network, TRIES_WINDOW_MS)
  )
}
