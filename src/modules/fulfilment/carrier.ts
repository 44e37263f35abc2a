import { sha256 } from '../../platform/crypto.ts'
import { type Realm, type SystemTx, within } from '../../platform/database/tx.ts'
import { applyChanges, type Change } from '../kits/move.ts'
import { type KitRow, lockKits } from '../kits/queries.ts'
import { stateOf } from '../kits/records.ts'
import type { Step } from '../kits/rules.ts'
import { type Happened, recordHappened } from '../undelivered/record.ts'
import { isAskedAbout, kitsHere } from '../undelivered/service.ts'
import {
  insertEvents,
  lockParcels,
  type NewEvent,
  type StoredEvent,
  saveOutcomes,
  saveParcels,
  selectContents,
  selectWaitingEvents,
  type TrackedParcel,
} from './carrier-queries.ts'
import { lockAgainstPacking } from './queries.ts'
import { happeningOf, isDeliveredToLab, statusOnReturn, stepsAfter, storedMessage } from './rules.ts'
import type { CarrierEvent, HeardEvent, Outcome } from './schema.ts'

// Carriers reuse numbers: an event older than this is about an earlier parcel of the same number.
const WAITS_MS = 30 * 24 * 3600 * 1000

/**
 * Receives events of carriers, each once by its ID, and moves the kits in the parcels. An event older than the last one
 * known changes nothing; one about an unknown number is kept, and applied once a kit is packed under it.
 */
export async function receiveCarrierEvents(
  tx: SystemTx,
  source: string,
  received: readonly CarrierEvent[],
): Promise<HeardEvent[]> {
  const events = received.map(
    (event): NewEvent => ({
      ...event,
      eventId: event.id ?? idOf(event),
      at: past(tx, event.at),
      message: storedMessage(event),
    }),
  )
  await lockAgainstPacking(tx)
  const fresh = await insertEvents(tx, source, events)
  const outcomes = await applyEvents(tx, fresh)
  const byId = new Map(fresh.map(({ eventId, id }) => [eventId, outcomes.get(id)]))
  return events.map(({ eventId, trackingNumber }) => {
    const outcome = byId.get(eventId) ?? 'duplicate'
    byId.delete(eventId)
    return { trackingNumber, outcome }
  })
}

const idOf = ({ trackingNumber, status, at }: CarrierEvent) =>
  sha256(`${trackingNumber}\n${status}\n${new Date(at).toISOString()}`).toString('base64url')

/** Never in the future: a carrier's fast clock must not make every later event late. */
const past = (tx: SystemTx, at: string) => new Date(Math.min(new Date(at).getTime(), tx.now.getTime()))

/** Applies events that came before their tracking numbers were known. */
export async function applyWaitingEvents(tx: SystemTx, numbers: readonly string[]): Promise<void> {
  await applyEvents(tx, await selectWaitingEvents(tx, numbers, new Date(tx.now.getTime() - WAITS_MS)))
}

/** Applies events and returns the outcome of each, in five statements and four for each business concerned. */
async function applyEvents(tx: SystemTx, events: readonly StoredEvent[]): Promise<Map<number, Outcome>> {
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
    const kits = await lockMovingKits(tx, realm, contents)
    for (const event of inOrder) {
      const parcel = parcels.get(event.trackingNumber)
      if (parcel?.realm.id === realm.id) outcomes.set(event.id, planMoves(parcel, event, kits))
    }
    const moving = [...kits.values()]
    const inRealm = within(tx, realm)
    await applyChanges(
      inRealm,
      moving.map(({ change }) => change).filter(({ steps }) => steps.length > 0),
    )
    await recordHappened(
      inRealm,
      moving.map(({ change }) => change.kit),
      moving.flatMap(({ happened }) => happened),
    )
  }
  await saveParcels(tx, [...parcels.values()])
  await saveOutcomes(tx, outcomes)
  return outcomes
}

interface Moving {
  numbers: Set<string>
  change: Change & { steps: Step[] }
  happened: Happened[]
  /** The operator has the box in hand: what is still said of its parcel is no news. */
  isHere: boolean
}

async function lockMovingKits(
  tx: SystemTx,
  realm: Realm,
  contents: readonly { number: string; realmId: number; kitId: string }[],
): Promise<Map<string, Moving>> {
  const mine = contents.filter(({ realmId }) => realmId === realm.id)
  const inRealm = within(tx, realm)
  const rows = await lockKits(inRealm, [...new Set(mine.map(({ kitId }) => kitId))])
  const here = await kitsHere(
    inRealm,
    rows.map(({ id }) => id),
  )
  const numbersOf = (kit: KitRow) => new Set(mine.filter(({ kitId }) => kitId === kit.id).map(({ number }) => number))
  return new Map(
    rows.map((kit) => [
      kit.id,
      { numbers: numbersOf(kit), change: { kit, steps: [] }, happened: [], isHere: here.has(kit.id) },
    ]),
  )
}

/** Adds to the planned steps of kits what an event does to those of its parcel. */
function planMoves(parcel: TrackedParcel, event: StoredEvent, kits: ReadonlyMap<string, Moving>): Outcome {
  if (parcel.toldAt !== null && event.at < parcel.toldAt) return 'late'
  parcel.toldAt = event.at
  const isReturning = parcel.returningSince !== null && event.at >= parcel.returningSince
  const status = isReturning ? statusOnReturn(parcel.leg, event.status) : event.status
  if (isDeliveredToLab(parcel.leg, status)) parcel.deliveredAt ??= event.at
  let outcome: Outcome = 'noted'
  const happening = happeningOf(parcel.leg, status)
  for (const { numbers, change, happened, isHere } of kits.values()) {
    if (!numbers.has(parcel.number) || (isHere && parcel.leg === 'toUser')) continue
    const state = change.steps.at(-1)?.state ?? stateOf(change.kit)
    const steps = stepsAfter(state, parcel.leg, { ...event, status })
    change.steps.push(...steps)
    if (steps.length > 0) {
      outcome = 'moved'
      change.isQuiet = happening?.is === 'carrier' && isAskedAbout(happening.outcome)
    }
    // Of a sample on its way the parcel out has nothing to say.
    if (happening && state.progress.sampleInTransit === undefined)
      happened.push({ kitId: change.kit.id, happening, at: event.at })
  }
  return outcome
}
