import type { Tx } from '../../platform/database/tx.ts'
import type { IdentityRecord } from '../define-module.ts'
import { type EventData, updateEventData } from '../events/queries.ts'
import type { RegisteredPerson } from '../kits/sealed-queries.ts'
import type { BlankedOrder } from '../orders/erasure-queries.ts'
import { type EmptiedAnswer, emptyAnswers } from '../webhooks/erasure-queries.ts'
import { selectEventsOfPerson } from './export-queries.ts'
import { type Identity, scrub } from './rules.ts'

/** What events are about. */
export interface Traces {
  /** Undefined: of the kits and orders only. */
  customerId: number | undefined
  kitIds: readonly string[]
  orderIds: readonly string[]
}

/**
 * Takes what tells who a person is out of the events about them, and why a provider refused their orders; empties what receivers
 * of webhooks answered. Returns both as they were.
 */
export async function scrubEvents(
  tx: Tx,
  { customerId, kitIds, orderIds }: Traces,
  identity: Identity,
  orders: readonly Pick<BlankedOrder, 'refusal'>[],
): Promise<{ events: EventData[]; answers: EmptiedAnswer[] }> {
  const refusals = new Set(orders.map(({ refusal }) => refusal))
  const events = await selectEventsOfPerson(tx, customerId, kitIds, orderIds)
  const changed = events.flatMap(({ id, data }) => {
    const scrubbed = scrub(withoutReason(data, refusals), identity)
    return JSON.stringify(scrubbed) === JSON.stringify(data) ? [] : [{ id, before: data, data: scrubbed }]
  })
  await updateEventData(tx, changed)
  const answers = await emptyAnswers(
    tx,
    events.map(({ id }) => id),
  )
  return { events: changed.map(({ id, before }) => ({ id, data: before })), answers }
}

/** The data of an event, with an empty reason where it is one of these. */
function withoutReason(data: unknown, reasons: ReadonlySet<unknown>): unknown {
  const { reason } = (data ?? {}) as { reason?: unknown }
  return typeof reason === 'string' && reasons.has(reason) ? { ...(data as object), reason: '' } : data
}

/** A registration is what the person typed, kept as it came. */
export function fromRegistration({ registeredEmail, registration }: RegisteredPerson): IdentityRecord {
  const given = (registration ?? {}) as Record<string, unknown>
  const textOf = (key: string) => (typeof given[key] === 'string' ? given[key] : null)
  return {
    email: registeredEmail ?? textOf('email'),
    name: textOf('correctedName'),
    firstName: textOf('firstName'),
    lastName: textOf('lastName'),
    phone: textOf('phone'),
    address: [given.address, given.addressLine1, given.addressLine2, given.city, given.zip],
  }
}
