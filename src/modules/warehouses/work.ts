import type { ShippingPort } from '../../domain/ports.ts'
import { type Actor, type Database, type Realm, type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { type LockedKit, lockLiveKits } from '../fulfilment/queries.ts'
import { Delay } from '../labels/call.ts'
import { digestOf, selectDestination } from '../labels/queries.ts'
import { SETTLES_MS, waitAfter } from '../labels/rules.ts'
import type { Recipient } from '../labels/schema.ts'
import { serviceOf } from './account.ts'
import { WORK_JOB } from './follow.ts'
import { matchOf, nothing } from './match.ts'
import { lockOrders, type OrderRow, saveOrder, selectWarehouses } from './queries.ts'
import { noteContents, recordShipped, recordState } from './record.ts'
import * as rules from './rules.ts'
import type { Reason, State } from './schema.ts'

// Longer than four calls may take: a worker that does not come back within it has died, and another one goes on.
const LEASE_MS = 150_000
// What fails here is tried again after it.
const RETRIED_MS = 60_000
// An order that waited longer for its connection is not sent: by SETTLES_MS after it was noted nothing of it may be on its way.
const BEGINS_WITHIN_MS = 20_000
const MOST_STEPS = 6

export interface Packers {
  database: Database
  actor: Actor
  callShipping: ShippingPort
}

interface Claimed {
  row: OrderRow
  service: rules.WarehouseService
  /** Of a kit that is to be handed over. */
  order: rules.PackingOrder | undefined
  needsSerial: boolean
}

/** Does what is due of a kit at its warehouse: hands it over, asks for it, cancels it. Each step is recorded before the next one. */
export async function workOnKit(packers: Packers, realm: Realm, kitId: string): Promise<void> {
  const at = placeOf(packers, realm, kitId)
  for (let step = 0; step < MOST_STEPS; step++) {
    const claimed = await packers.database.asSystem(packers.actor, (tx) => claim(tx, packers, realm, kitId))
    if (!claimed) return
    if (claimed === 'settled') continue
    const { row } = claimed
    const work = row.state === 'queued' ? handOver : isToCancel(row) ? cancel : isWatched(row) ? watch : follow
    await work(at, claimed).catch(async (err: unknown) => {
      if (err instanceof Delay) return at.delay(row, null, err.code)
      if (err instanceof rules.WarehouseRefusal) return at.delay(row, err.reason, err.code)
      // It failed here: it is tried again before the lease ends.
      await at.advance(row, (tx) => ({ dueAt: new Date(tx.now.getTime() + RETRIED_MS) })).catch(() => undefined)
      throw err
    })
  }
}

async function claim(
  system: SystemTx,
  { callShipping }: Packers,
  realm: Realm,
  kitId: string,
): Promise<Claimed | 'settled' | undefined> {
  const tx = within(system, realm)
  const [kit] = await lockLiveKits(system, [kitId])
  const [row] = await lockOrders(tx, [kitId])
  if (!kit || !row?.dueAt || row.dueAt > tx.now || row.warehouseId === null) return undefined
  const end = async (state: State): Promise<'settled'> => {
    const ended = { ...row, state, reason: null, dueAt: null }
    await saveOrder(tx, ended)
    await recordState(tx, ended)
    return 'settled'
  }
  const claimed = { ...row, tries: row.tries + 1, dueAt: new Date(tx.now.getTime() + LEASE_MS) }
  let recipient: Recipient | undefined
  if (row.state === 'queued' && row.askedAt === null) {
    // What was said of warehouses, and where the kit goes, may have changed.
    const match = await matchOf(tx, kitId)
    if (!match.isToSend) return end('canceled')
    if (!match.warehouse || !match.recipient) return end('released')
    recipient = match.recipient
    claimed.warehouseId = match.warehouse.id
    claimed.digest = await digestOf(tx, recipient)
  }
  const [warehouse] = await selectWarehouses(tx, [claimed.warehouseId ?? ''])
  const service = warehouse && serviceOf(tx.context, callShipping, warehouse)
  if (!warehouse || !service) {
    await saveOrder(tx, { ...row, reason: 'noAccount', dueAt: askedLater(tx) })
    return undefined
  }
  const { country } = warehouse.definition
  const product = rules.productOf(warehouse.definition, kit.kitType)
  if (recipient && product) claimed.ordered = { sku: product.sku, needsSerial: product.needsSerial }
  await saveOrder(tx, claimed)
  const order = recipient && product && rules.packingOrderOf(row, { sku: product.sku, recipient, country })
  return { row: claimed, service, order, needsSerial: rules.needsSerial(row, product) }
}

type Place = ReturnType<typeof placeOf>

function placeOf({ database, actor }: Packers, realm: Realm, kitId: string) {
  const open = <T>(work: (tx: Tx, system: SystemTx) => Promise<T>): Promise<T> =>
    database.asSystem(actor, (system) => work(within(system, realm), system))

  /** Changes the order if nobody else has taken it over since it was claimed, and it is still to be done. */
  const advance = (
    row: OrderRow,
    changesOf: (
      tx: Tx,
      now: OrderRow,
      kit: LockedKit,
      system: SystemTx,
    ) => Partial<OrderRow> | Promise<Partial<OrderRow>>,
  ): Promise<OrderRow | undefined> =>
    open(async (tx, system) => {
      const [kit] = await lockLiveKits(system, [kitId])
      const [now] = await lockOrders(tx, [kitId])
      if (!kit || !now || now.tries !== row.tries || now.state !== row.state) return undefined
      const next = { ...now, ...(await changesOf(tx, now, kit, system)) }
      await saveOrder(tx, next)
      if (next.state !== now.state) await recordState(tx, next)
      return next
    })

  /** Comes again later, ever less often. A person is told after some tries, or at once of what the warehouse objects to. */
  const delay = (row: OrderRow, reason: Reason | null, code?: string) =>
    advance(row, async (tx, now) => {
      const failures = now.failures + 1
      const dueAt = new Date(tx.now.getTime() + waitAfter(failures))
      await tx.enqueue(WORK_JOB, { realm, kitId }, { startAfter: dueAt })
      const isLong = failures >= rules.TOLD_AFTER_TRIES
      if (reason === null && !isLong && now.reason !== null) return { dueAt, failures }
      return { dueAt, failures, code: code ?? null, reason: reason ?? (isLong ? rules.reasonOfDelay(code) : null) }
    })

  return { kitId, open, advance, delay }
}

/** What a warehouse has of an order, whether or not the answer to its creation was heard; undefined where it does not know it. */
async function lookUp(service: rules.WarehouseService, row: OrderRow) {
  try {
    return await service.find(rules.referenceOf(row), row.externalId)
  } catch (err) {
    if (err instanceof rules.WarehouseRefusal && err.reason === 'gone') return undefined
    throw err
  }
}

const settlesAt = ({ askedAt }: OrderRow): Date => new Date((askedAt?.getTime() ?? 0) + SETTLES_MS)

const askedLater = (tx: Tx): Date => new Date(tx.now.getTime() + rules.ASKED_EVERY_MS)

const sent = (externalId: string) => (tx: Tx) => ({
  state: 'sent' as const,
  externalId,
  failures: 0,
  reason: null,
  code: null,
  dueAt: askedLater(tx),
})

async function handOver(at: Place, { row, service, order }: Claimed): Promise<void> {
  if (row.askedAt !== null) {
    const found = await lookUp(service, row)
    if (found) await at.advance(row, sent(found.externalId))
    else
      await at.advance(row, (tx) =>
        tx.now < settlesAt(row) ? { dueAt: settlesAt(row) } : { ...nothing, dueAt: tx.now },
      )
    return
  }
  const began = performance.now()
  const asked = order && (await at.advance(row, (tx) => ({ askedAt: tx.now })))
  if (!asked) return
  try {
    const externalId = await service.create(order, () => performance.now() - began < BEGINS_WITHIN_MS)
    await at.advance(asked, sent(externalId))
  } catch (err) {
    const isRefusal = err instanceof rules.WarehouseRefusal
    if (isRefusal ? err.reason === 'account' : err instanceof Delay && err.isUnsent)
      await at.advance(asked, () => ({ askedAt: null }))
    if (!isRefusal || err.reason === 'account') throw err
    // It may say no because it has this order already.
    const found = await lookUp(service, asked)
    if (found) await at.advance(asked, sent(found.externalId))
    else
      await at.advance(asked, () => ({
        ...nothing,
        state: 'refused',
        reason: 'refusedThere',
        code: err.code ?? null,
        dueAt: null,
      }))
  }
}

const isNotThere = (reason: 'canceledThere' | 'gone') => ({
  ...nothing,
  state: 'refused' as const,
  reason,
  dueAt: null,
})

async function follow(at: Place, { row, service, needsSerial }: Claimed): Promise<void> {
  const found = await lookUp(service, row)
  const said: rules.Said = found?.said ?? { is: 'canceled' }
  if (said.is === 'canceled') {
    await at.advance(row, () => isNotThere(found ? 'canceledThere' : 'gone'))
    return
  }
  const [parcel] = rules.leftOf(said)
  if (said.is === 'shipped' && parcel?.number) return recordShipped(at, row, parcel, needsSerial)
  await at.advance(row, (tx, { createdAt }) => {
    const isLate = tx.now.getTime() - createdAt.getTime() > rules.LATE_MS
    const none = { carrier: null, number: null, serial: null, lot: null, parcels: null, code: null }
    const next = { ...none, ...rules.whatLeft(said), failures: 0, dueAt: askedLater(tx) }
    if (said.is === 'shipped') return { ...next, number: null, reason: 'noNumber' }
    if (said.is !== 'trouble') return { ...next, reason: isLate ? 'late' : null }
    return { ...next, reason: said.reason, code: said.code ?? null }
  })
}

/** Asks for a kit of which the warehouse might still send a parcel after it was released, or another one was recorded. If one leaves, a person is told. */
async function watch(at: Place, { row, service }: Claimed): Promise<void> {
  const said: rules.Said = (await lookUp(service, row))?.said ?? { is: 'canceled' }
  await at.advance(row, async (tx, now, kit, system) => {
    const left = rules.newlyLeft(now, said)
    const isToSend = left && (await isStillToSend(tx, system, kit, said))
    if (left?.isSecond) {
      const reason = isToSend ? left.reason : ('leftLater' as const)
      return { ...left.changes, state: 'notCanceled', reason, code: null, dueAt: null }
    }
    const { changedAt } = now
    const isOver = said.is === 'canceled' || tx.now.getTime() - changedAt.getTime() > rules.WATCHED_MS
    return { ...left?.changes, reason: null, code: null, failures: 0, dueAt: isOver ? null : askedLater(tx) }
  })
}

/** Whether a kit is still to be sent. If not, what is in the parcels that left is noted. */
async function isStillToSend(tx: Tx, system: SystemTx, kit: LockedKit, said: rules.Said): Promise<boolean> {
  const { isToSend = false } = (await selectDestination(tx, kit.kitId)) ?? {}
  if (!isToSend) await noteContents(system, kit, rules.leftOf(said))
  return isToSend
}

// It is asked for though it is not the warehouse's any more, or is recorded already.
const isWatched = ({ state }: OrderRow) => state === 'released' || state === 'shipped'

// What the warehouse did not cancel is asked for, and tried again.
const isToCancel = ({ state }: OrderRow) => state === 'canceling' || state === 'notCanceled'

async function cancel(at: Place, { row, service }: Claimed): Promise<void> {
  const found = await lookUp(service, row)
  const isPending = found === undefined && row.externalId === null && row.askedAt !== null
  if (isPending && (await at.open(async ({ now }) => now < settlesAt(row)))) {
    await at.advance(row, () => ({ dueAt: settlesAt(row) }))
    return
  }
  // It was there: another account may be asked now, and this one may still send it.
  if (!found && row.externalId !== null) {
    await at.advance(row, () => isNotThere('gone'))
    return
  }
  const left = found && rules.whatLeft(found.said)
  if (left) {
    await at.advance(row, async (tx, _, kit, system) => {
      await isStillToSend(tx, system, kit, found.said)
      return { ...left, externalId: found.externalId, state: 'notCanceled', dueAt: null }
    })
    return
  }
  if (found && found.said.is !== 'canceled') {
    try {
      await service.cancel(found.externalId)
    } catch (err) {
      // It has this order, which it has just shown: `gone` is a refusal like others.
      if (!(err instanceof rules.WarehouseRefusal) || err.reason === 'account') throw err
      const code = err.code ?? null
      const next = {
        externalId: found.externalId,
        state: 'notCanceled',
        reason: 'notCanceled',
        code,
        failures: 0,
      } as const
      await at.advance(row, (tx) => ({ ...next, dueAt: askedLater(tx) }))
      return
    }
  }
  await at.advance(row, (tx, now) => afterCancel(tx, now))
}

/** A kit that still waits is handed over again under a new reference, unless it was released. */
async function afterCancel(tx: Tx, { kitId, round, isReleased }: OrderRow): Promise<Partial<OrderRow>> {
  const over = { ...nothing, dueAt: null }
  if (!(await selectDestination(tx, kitId))?.isToSend) return { ...over, state: 'canceled' }
  if (isReleased) return { ...over, state: 'released' }
  return { ...over, state: 'queued', round: round + 1, dueAt: tx.now }
}
