import { AppError } from '../../../domain/errors.ts'
import { type Realm, type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import { issueDetails } from '../../../platform/http/validate.ts'
import * as audit from '../../audit/service.ts'
import { orderRefusalSentence, refusalsOf } from '../../catalogue/eligibility.ts'
import { priceBook } from '../../catalogue/prices.ts'
import { applyWaitingEvents } from '../../fulfilment/carrier.ts'
import {
  deleteOldParcels,
  insertParcels,
  lockBoughtLabels,
  lockPacking,
  selectParcels,
} from '../../fulfilment/queries.ts'
import { applyChanges } from '../../kits/move.ts'
import { lockKits, lockKitsOfOrder, updateAccession } from '../../kits/queries.ts'
import { stateOf } from '../../kits/records.ts'
import { registerKit } from '../../kits/register.ts'
import { advance } from '../../kits/rules.ts'
import { RegisterInput, type Shipment } from '../../kits/schema.ts'
import { placeOrders } from '../../orders/placement.ts'
import { lockForPlacement } from '../../orders/placement-locks.ts'
import { recipientOf } from '../../orders/request.ts'
import { selectTaken } from '../queries.ts'
import type { TakenRow } from './schema.ts'
import { planOf, type Stage, stages } from './stages.ts'

export interface Taken {
  status: 'taken' | 'already'
  orderId: string
  kitId: string | undefined
}

/**
 * Makes a kit that another vendor sent one of this business, at the stage where it stands: an order that costs nothing, its kit, its
 * person and its parcels, without an e-mail or an event. One whose external ID an order has already is left alone.
 * @throws what registering it, or a wrong row, throws
 */
export async function takeOver(tx: SystemTx, realm: Realm, row: TakenRow): Promise<Taken> {
  const own = within(tx, realm)
  await lockPacking(tx)
  // Two runs at once take turns: what one made, the other sees.
  await lockForPlacement(tx, { realmIds: [realm.id], kitTypes: [] })
  const found = await selectTaken(own, row.external_id)
  if (found) return { status: 'already', ...found }
  const prices = await priceBook(own)
  if (!prices.has(row.kit_type))
    throw new AppError('KIT_TYPE_NOT_PROVISIONED', 'kit_type: This kit type is not provisioned for the business')
  const rules = prices.rules(row.kit_type)
  if (row.status === 'kitPreparing' && rules?.providerNeeded)
    throw wrong('status', 'A provider approves this test before it is sent from here: place an order')
  // A sample that the laboratory has is tested already.
  const [refusal] = rules && !isPast(row.status, 'sampleInTransit') ? refusalsOf(rules, { address: row }) : []
  if (rules && refusal) throw wrong(refusal, orderRefusalSentence(refusal, row.kit_type, rules))
  const { orderedAt, steps } = planOf(row.status, datesOf(row), tx.now)
  const orderId = await place(own, row)
  const [kit] = await lockKitsOfOrder(own, orderId)
  if (!kit) throw new Error('an order that was taken over has no kit')
  const shipment = shipmentOf(row, (stage) => steps.find(({ to }) => to === stage)?.at ?? steps[0]?.at ?? tx.now)
  await applyChanges(own, [
    { kit, steps: [], isUnannounced: true, besides: { shipment, progress: { orderPlaced: orderedAt.toISOString() } } },
  ])
  for (const { to, at } of steps) {
    if (to === 'kitRegistered') await register(own, kit.id, row, at)
    else {
      if (isPast(to, 'kitRegistered') && !steps.some((step) => step.to === 'kitRegistered'))
        throw wrong('registered_date', 'is missing: somebody must have registered a kit whose sample is on its way')
      await move(own, kit.id, to, { at, reason: row.reason })
    }
  }
  // The laboratory's numbers and the carriers' belong to one kit each over all businesses: a trial must not take them from it.
  if (realm.mode === 'live') {
    if (row.accession && !(await updateAccession(tx, kit.id, row.accession)))
      throw wrong('accession', 'belongs to another kit')
    await writeParcels(tx, realm, { orderId, kitId: kit.id, shipment })
  }
  const details = { status: row.status }
  await audit.record(own, [{ action: 'kit.taken_over', objectType: 'kit', objectId: kit.id, details }])
  return { status: 'taken', orderId, kitId: kit.id }
}

const isPast = (stage: Stage, other: Stage) => stages.indexOf(stage) > stages.indexOf(other)

const wrong = (path: string, message: string) =>
  new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ message, path }] })

const datesOf = (row: TakenRow) => ({
  orderPlaced: row.ordered_date,
  kitInTransit: row.shipped_date,
  kitDelivered: row.delivered_date,
  kitRegistered: row.registered_date,
  sampleInTransit: row.sample_shipped_date,
  sampleReceived: row.received_date,
  sampleRejected: row.rejected_date,
})

async function place(tx: Tx, row: TakenRow): Promise<string> {
  const { street1, street2, city, state, zip, country } = row
  const address = { street1, street2, city, state, zip, country }
  const order = {
    recipient: recipientOf({ ...row, external_id: undefined, external_tags: undefined, address }),
    items: [{ kitType: row.kit_type, quantity: 1 }],
    externalId: row.external_id,
    externalTags: (row.external_tags ?? '').split(',').flatMap((tag) => tag.trim() || []),
    notify: row.notify_receiver,
  }
  const [orderId] = await placeOrders(tx, [order], { method: 'elsewhere' })
  if (!orderId) throw new Error('no order was placed')
  return orderId
}

async function move(tx: Tx, kitId: string, to: Stage, { at, reason }: { at: Date; reason: string | undefined }) {
  const [kit] = await lockKits(tx, [kitId])
  if (!kit) throw new Error('a kit is gone')
  await applyChanges(tx, [{ kit, steps: advance(stateOf(kit), to, { at, reason }), isUnannounced: true }])
}

/** The recipient is the person tested, unless the row names another one. */
async function register(tx: Tx, kitId: string, row: TakenRow, at: Date): Promise<void> {
  const input = RegisterInput.safeParse({
    firstName: row.person_first_name ?? row.first_name,
    lastName: row.person_last_name ?? row.last_name,
    email: row.person_email ?? row.email,
    dateOfBirth: row.date_of_birth,
    sex: row.sex,
    ...(row.customer_external_id && { external_id: row.customer_external_id }),
  })
  if (!input.success) {
    const names: Record<string, string> = { dateOfBirth: 'date_of_birth' }
    const [detail] = issueDetails(input.error)
    throw wrong(
      names[detail?.path ?? ''] ?? detail?.path ?? 'date_of_birth',
      `${detail?.message}: a kit that is registered needs it`,
    )
  }
  const { differences } = await registerKit(tx, kitId, input.data, { elsewhereAt: at })
  if (!differences) return
  const name = row.person_first_name ? 'person_first_name' : 'first_name'
  const columns = differences.map((one) => ({ name, dateOfBirth: 'date_of_birth', sex: 'sex' })[one])
  throw wrong(columns.join(', '), 'is not that of the customer with this e-mail')
}

function shipmentOf(row: TakenRow, at: (stage: Stage) => Date): Shipment {
  const { carrier, tracking_number: out, return_carrier: returnCarrier = carrier, return_tracking_number: back } = row
  // With a label on it, it would never be packed.
  const early = row.status === 'kitPreparing' && (out ? 'tracking_number' : back && 'return_tracking_number')
  if (early) throw wrong(early, 'comes after the status kitPreparing')
  if (out && out === back) throw wrong('return_tracking_number', 'Both labels have the same tracking number')
  if (out && !carrier) throw wrong('carrier', 'is missing: say whose number this is')
  if (back && !returnCarrier) throw wrong('return_carrier', 'is missing: say whose number this is')
  const leg = (trackingNumber: string | undefined, carrier: string | undefined, stage: Stage) =>
    trackingNumber && carrier ? { trackingNumber, carrier, date: at(stage).toISOString() } : undefined
  return { toUser: leg(out, carrier, 'kitInTransit'), toLab: leg(back, returnCarrier, 'kitInTransit') }
}

/** From now on carriers' reports about its parcels move the kit, and those that came before count. */
async function writeParcels(
  tx: SystemTx,
  realm: Realm,
  { orderId, kitId, shipment }: { orderId: string; kitId: string; shipment: Shipment },
): Promise<void> {
  const parcels = (['toUser', 'toLab'] as const).flatMap((leg) => {
    const found = shipment[leg]
    const { trackingNumber: number = '', carrier = '' } = found ?? {}
    return found ? [{ number, realmId: realm.id, leg, carrier, orderId, kitId: leg === 'toLab' ? kitId : null }] : []
  })
  if (parcels.length === 0) return
  const numbers = parcels.map(({ number }) => number)
  await deleteOldParcels(tx, numbers)
  if ((await selectParcels(tx, numbers)).length > 0 || (await lockBoughtLabels(tx, numbers)).size > 0)
    throw wrong('tracking_number', 'is on another parcel already')
  await insertParcels(tx, parcels)
  await applyWaitingEvents(tx, numbers)
}
