import { type LifetimeStatus, lifecycle, lifetimeStatuses } from './lifecycle.ts'

/**
 * After how many days a step usually has happened, counted from the step before it. What takes longer is late: somebody
 * should look. Days of the calendar, each with room for a weekend.
 */
export const usualDays: Partial<Record<LifetimeStatus, number>> = {
  // Packed on the next working day.
  kitPreparing: 3,
  // With the carrier on the working day after it was packed.
  kitInTransit: 3,
  // USPS Ground Advantage: 2 to 5 days, Sundays not counted.
  kitDelivered: 6,
  // A person opens the box when it suits: two weeks is when reminders are customary.
  kitRegistered: 14,
  // Samples are taken in the morning before breakfast, and posted the same or the next day: a week holds one such morning.
  sampleInTransit: 7,
  // USPS Priority return labels: 1 to 3 days and a Sunday.
  sampleReceived: 4,
  // Laboratories promise 2 to 5 working days from receipt.
  reportReady: 7,
}

/** What comes after a step when all goes well; undefined after the last. A rejection is no such step. */
export function nextAfter(status: LifetimeStatus): LifetimeStatus | undefined {
  return lifetimeStatuses.find((next) => lifecycle[next].after === status && next !== 'sampleRejected')
}

/** Where a kit waits, and since when that is late. */
export interface Waiting {
  kitStatus: string
  sampleStatus: string
  before: string
}

const DAY_MS = 86_400_000

/** Where kits wait for the next step, and before which time they must have come there to be late. */
export function latePlaces(now: Date): Waiting[] {
  const places = new Map<string, Waiting>()
  for (const status of lifetimeStatuses) {
    const next = nextAfter(status)
    const days = next && usualDays[next]
    if (days === undefined) continue
    const { kitStatus, sampleStatus } = lifecycle[status]
    const before = new Date(now.getTime() - days * DAY_MS).toISOString()
    // Two steps may look the same (orderPlaced, kitPreparing): the later one counts.
    places.set(`${kitStatus}/${sampleStatus}`, { kitStatus, sampleStatus, before })
  }
  return [...places.values()]
}
