import { sha256 } from '../../platform/crypto.ts'
import { type Realm, type SystemTx, within } from '../../platform/database/tx.ts'
import { apply, type Change } from '../kits/move.ts'
import { type KitRow, lockByIds } from '../kits/queries.ts'
import { stateOf } from '../kits/records.ts'
import type { Step } from '../kits/rules.ts'
import {
  insertEvents,
  lockParcels,
  type NewEvent,
  type StoredEvent,
  saveOutcomes,
  saveParcels,
  selectContents,
  selectWaiting,
  type ToldParcel,
} from './carrier-queries.ts'
import { lockAgainstPacking } from './queries.ts'
import { follow, isAtTheDoor, keptMessage } from './rules.ts'
import type { CarrierEvent, HeardEvent, Outcome } from './schema.ts'

// A word about a number that is packed later than this is about an older parcel of the same number.
const WAITS_MS = 30 * 24 * 3600 * 1000

/**
 * Takes in what carriers say, each event once by its ID, and moves the kits that are in the parcels. What is older than
 * what is known changes nothing; a number that nobody knows is kept, and counts once a kit is packed under it.
 */
export async function hear(tx: SystemTx, source: string, said: readonly CarrierEvent[]): Promise<HeardEvent[]> {
  const events = said.map(
    (event): NewEvent => ({
      ...event,
      eventId: event.id ?? idOf(event),
      at: past(tx, event.at),
      message: keptMessage(event),
    }),
  )
  await lockAgainstPacking(tx)
  const fresh = await insertEvents(tx, source, events)
  const outcomes = await settle(tx, fresh)
  const byId = new Map(fresh.map(({ eventId, id }) => [eventId, outcomes.get(id)]))
  return events.map(({ eventId, trackingNumber }) => {
    const outcome = byId.get(eventId) ?? 'duplicate'
    byId.delete(eventId)
    return { trackingNumber, outcome }
  })
}

const idOf = ({ trackingNumber, status, at }: CarrierEvent) =>
  sha256(`${trackingNumber}\n${status}\n${new Date(at).toISOString()}`).toString('base64url')

/** A carrier's clock that runs ahead must not make everything after it late. */
const past = (tx: SystemTx, at: string) => new Date(Math.min(new Date(at).getTime(), tx.now.getTime()))

/** Does now what carriers said of numbers before they were known here. */
export async function settleWaiting(tx: SystemTx, numbers: readonly string[]): Promise<void> {
  await settle(tx, await selectWaiting(tx, numbers, new Date(tx.now.getTime() - WAITS_MS)))
}

/** What became of each event. Statements: five, and four for each business that the parcels are of. */
async function settle(tx: SystemTx, events: readonly StoredEvent[]): Promise<Map<number, Outcome>> {
  const outcomes = new Map<number, Outcome>(events.map(({ id }) => [id, 'unmatched']))
  if (events.length === 0) return outcomes
  const parcels = new Map(
    (
      await lockParcels(
        tx,
        events.map(({ trackingNumber }) => trackingNumber),
      )
    ).map((parcel) => [parcel.number, parcel]),
  )
  if (parcels.size === 0) return outcomes
  const contents = await selectContents(tx, [...parcels.keys()])
  const realms = new Map([...parcels.values()].map(({ realm }) => [realm.id, realm]))
  const inOrder = [...events].sort((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id)
  for (const realm of [...realms.values()].sort((a, b) => a.id - b.id)) {
    const kits = await lockKits(tx, realm, contents)
    for (const event of inOrder) {
      const parcel = parcels.get(event.trackingNumber)
      if (parcel?.realm.id === realm.id) outcomes.set(event.id, told(parcel, event, kits))
    }
    await apply(
      within(tx, realm),
      [...kits.values()].map(({ change }) => change).filter(({ steps }) => steps.length > 0),
    )
  }
  await saveParcels(tx, [...parcels.values()])
  await saveOutcomes(tx, outcomes)
  return outcomes
}

interface Moving {
  numbers: Set<string>
  change: Change & { steps: Step[] }
}

async function lockKits(
  tx: SystemTx,
  realm: Realm,
  contents: readonly { number: string; realmId: number; kitId: string }[],
): Promise<Map<string, Moving>> {
  const mine = contents.filter(({ realmId }) => realmId === realm.id)
  const rows = await lockByIds(within(tx, realm), [...new Set(mine.map(({ kitId }) => kitId))])
  const numbersOf = (kit: KitRow) => new Set(mine.filter(({ kitId }) => kitId === kit.id).map(({ number }) => number))
  return new Map(rows.map((kit) => [kit.id, { numbers: numbersOf(kit), change: { kit, steps: [] } }]))
}

/** Plans what an event does to the kits of its parcel, on top of what was planned before. */
function told(parcel: ToldParcel, event: StoredEvent, kits: ReadonlyMap<string, Moving>): Outcome {
  if (parcel.toldAt !== null && event.at < parcel.toldAt) return 'late'
  parcel.toldAt = event.at
  if (isAtTheDoor(parcel.leg, event.status)) parcel.deliveredAt ??= event.at
  let outcome: Outcome = 'noted'
  for (const { numbers, change } of kits.values()) {
    if (!numbers.has(parcel.number)) continue
    const state = change.steps.at(-1)?.state ?? stateOf(change.kit)
    const steps = follow(state, parcel.leg, event)
    change.steps.push(...steps)
    if (steps.length > 0) outcome = 'moved'
  }
  return outcome
}
