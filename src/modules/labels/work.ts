import type { ShippingPort } from '../../domain/ports.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import * as audit from '../audit/service.ts'
import { trackingNumberOf } from '../fulfilment/rules.ts'
import { openKey } from './account.ts'
import { selectAccount } from './account-queries.ts'
import { type Bought, Delay, fetchLabel, type LabelService, type Refs, Refusal } from './call.ts'
import { easypost } from './easypost.ts'
import { BUY_JOB } from './follow.ts'
import * as stored from './queries.ts'
import { type Consignment, chooseRate, consignmentOf, GIVEN_UP_MS, SETTLES_MS, waitAfter } from './rules.ts'
import type { LabelAccountInput, LabelProvider, Reason } from './schema.ts'
import { shippo } from './shippo.ts'

// Longer than three calls may take: a worker that does not come back within it has died, and another one goes on.
const LEASE_MS = 120_000
// A purchase that waited longer for its connection is not sent: by SETTLES_MS after it was noted nothing of it may be on its way.
const BEGINS_WITHIN_MS = 20_000
// Refunds are decided within 30 days; USPS takes at least 15.
const REFUNDED_WITHIN_MS = 45 * 86_400_000
const DAY_MS = 86_400_000
const MOST_STEPS = 8
// Of a purchase that was answered with 404 or 409: another offer is asked for, once.
const OFFER_ENDED = 'OFFER_ENDED'
// Of a file that asking again does not bring.
const notFetched = /^(REFUSED_URL|REFUSED_ADDRESS|TOO_LARGE|HTTP_[34](?!08|29)\d\d)$/

export type LabelPorts = RealmPorts & { callShipping: ShippingPort }

export const serviceOf = (provider: LabelProvider, port: ShippingPort, key: string): LabelService =>
  provider === 'easypost' ? easypost(port, key) : shippo(port, key)

interface Claimed {
  row: stored.LabelRow
  service: LabelService
  account: Omit<LabelAccountInput, 'isActive' | 'secretKey'>
  /** Of a label that is to be bought. */
  consignment: Consignment | undefined
  /** The carrier that brings the kit. */
  carrier: string | undefined
}

/** Does what is due of the labels of a kit: buys, fetches, voids. Each step is recorded before the next one. */
export async function workOnLabels(ports: LabelPorts, kitId: string): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step++) {
    const claimed = await ports.open((tx) => claim(tx, ports, kitId))
    if (!claimed) return
    if (claimed === 'settled') continue
    const { row } = claimed
    const work = row.state === 'queued' ? buy : row.state === 'voiding' ? voidLabel : fetchDocument
    await work(ports, claimed).catch((err: unknown) => {
      if (err instanceof Delay) return delay(ports, row, 'unavailable', err.code)
      if (err instanceof Refusal) return refused(ports, row, err.reason, err.code)
      throw err
    })
  }
}

async function claim(tx: Tx, { callShipping }: LabelPorts, kitId: string): Promise<Claimed | 'settled' | undefined> {
  const rows = await stored.lockLabels(tx, [kitId])
  const isBeingBought = rows.some(
    ({ leg, state, isWithdrawn }) => leg === 'toUser' && state === 'queued' && !isWithdrawn,
  )
  const due = rows.filter(({ dueAt }) => dueAt !== null && dueAt <= tx.now)
  // A return label is bought of the carrier that brings the kit, so after the label of the way out.
  const row = due.find(({ leg, state, askedAt }) => leg === 'toUser' || state !== 'queued' || askedAt || !isBeingBought)
  if (!row) return undefined
  const account = await selectAccount(tx, row.provider)
  const key = account && openKey(tx.context, account)
  const end = async (changes: Partial<stored.LabelRow>): Promise<'settled'> => {
    await stored.saveLabel(tx, { ...row, dueAt: null, ...changes })
    return 'settled'
  }
  if (!account || key === undefined) {
    if (row.state === 'bought') return end({ reason: 'badDocument' })
    if (row.state === 'voiding') return end({ state: 'voidRefused', reason: 'otherAccount' })
    return end({ state: 'refused', reason: 'noAccount' })
  }
  const claimed = { ...row, tries: row.tries + 1, dueAt: new Date(tx.now.getTime() + LEASE_MS) }
  const lease = async (more: Pick<Claimed, 'consignment' | 'carrier'>): Promise<Claimed> => {
    await stored.saveLabel(tx, claimed)
    return { row: claimed, service: serviceOf(row.provider, callShipping, key), account: account.definition, ...more }
  }
  if (row.state !== 'queued' || row.isWithdrawn) return lease({ consignment: undefined, carrier: undefined })
  const out = rows.find(({ leg, state }) => leg === 'toUser' && (state === 'bought' || state === 'used'))
  if (row.leg === 'toLab' && !out && row.askedAt === null) return end({ state: 'withdrawn' })
  const destination = await stored.selectDestination(tx, kitId)
  if (!destination) return end({ state: 'withdrawn' })
  const { kitType, recipient } = destination
  const given = { ...account.definition, isActive: true }
  const consignment = consignmentOf(given, { kitType, recipient, leg: row.leg })
  if ('problem' in consignment) {
    // What may have been bought is looked up first.
    if (row.askedAt !== null) return lease({ consignment: undefined, carrier: undefined })
    return end({ state: 'refused', reason: consignment.problem, code: null })
  }
  claimed.digest = recipient ? await stored.digestOf(tx, recipient) : null
  return lease({ consignment, carrier: row.leg === 'toLab' ? (out?.carrier ?? undefined) : undefined })
}

/** Changes a label if nobody else has taken it over since it was claimed, and it is still wanted. */
const advance = (
  ports: LabelPorts,
  row: stored.LabelRow,
  changes: Partial<stored.LabelRow>,
): Promise<stored.LabelRow | undefined> =>
  ports.open(async (tx) => {
    const now = await stored.lockLabel(tx, row.id)
    if (!now || now.tries !== row.tries || now.state !== row.state || now.isWithdrawn !== row.isWithdrawn)
      return undefined
    const next = { ...now, ...changes }
    await stored.saveLabel(tx, next)
    return next
  })

const refsOf = ({ id, shipmentRef, rateRef, labelRef }: stored.LabelRow): Refs => ({
  id,
  shipmentRef: shipmentRef ?? '',
  rateRef: rateRef ?? '',
  labelRef,
})

const nowOf = (ports: LabelPorts): Promise<Date> => ports.open(async (tx) => tx.now)

async function buy(ports: LabelPorts, claimed: Claimed): Promise<void> {
  const { service, consignment, account, carrier } = claimed
  let row: stored.LabelRow = claimed.row
  if (row.askedAt !== null) {
    const found = await lookUp(service, row)
    if (found === 'pending') return delay(ports, row, 'pending')
    if (found) return recordBought(ports, row, found)
    const settlesAt = new Date(row.askedAt.getTime() + SETTLES_MS)
    if ((await nowOf(ports)) < settlesAt) {
      await advance(ports, row, { dueAt: settlesAt, reason: 'unavailable' })
      return
    }
  }
  if (row.isWithdrawn || !consignment) {
    await advance(ports, row, { state: 'withdrawn', dueAt: null })
    return
  }
  if (row.shipmentRef === null || row.askedAt !== null) {
    const offer = await service.offer(row.id, consignment)
    if (offer.isTest) throw new Refusal('testKey')
    const wanted = row.leg === 'toLab' ? account.returnService : account.service
    const by = consignment.carrier ?? (wanted ? undefined : carrier)
    const rate = chooseRate(offer.rates, { ...(wanted && { wanted }), carrier: by })
    if ('problem' in rate) throw new Refusal(rate.problem)
    const { ref: rateRef, ...terms } = rate
    const offered = await advance(ports, row, { shipmentRef: offer.ref, rateRef, askedAt: null, ...terms })
    if (!offered) return
    row = offered
  }
  const began = performance.now()
  const asked = await advance(ports, row, { askedAt: await nowOf(ports), reason: 'unclear' })
  if (!asked) return
  try {
    const bought = await service.buy(refsOf(asked), account, () => performance.now() - began < BEGINS_WITHIN_MS)
    if (bought === 'pending') return delay(ports, asked, 'pending')
    return recordBought(ports, asked, bought)
  } catch (err) {
    if (err instanceof Delay && err.isUnsent) await advance(ports, asked, { askedAt: null, reason: null })
    if (!(err instanceof Refusal)) throw err
    // It may say no because it has sold this label already.
    const isEnded = (err.status === 404 || err.status === 409) && asked.code !== OFFER_ENDED
    const found = await lookUp(service, isEnded ? { ...asked, code: OFFER_ENDED } : asked)
    if (found === 'pending') return delay(ports, asked, 'pending')
    if (found) return recordBought(ports, asked, found)
    if (!isEnded) throw err
    const dueAt = new Date((asked.askedAt ?? asked.createdAt).getTime() + SETTLES_MS)
    await advance(ports, asked, { code: OFFER_ENDED, dueAt })
  }
}

/** Whatever it says instead of an answer, the label may have been bought. */
async function lookUp(service: LabelService, row: stored.LabelRow): Promise<Bought | 'pending' | undefined> {
  try {
    return await service.find(refsOf(row))
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    if (err.status === 404 && row.code === OFFER_ENDED) return undefined
    throw new Delay(err.code ?? 'LOOK_UP_REFUSED')
  }
}

/** Whoever heard of the purchase records it, and one that nobody wants any more is voided. */
function recordBought(ports: LabelPorts, { id }: stored.LabelRow, { ref, number, charged }: Bought): Promise<void> {
  return ports.open(async (tx) => {
    const row = await stored.lockLabel(tx, id)
    if (row?.state !== 'queued') return
    const state = row.isWithdrawn ? 'voiding' : 'bought'
    const { now: boughtAt, now: dueAt } = tx
    const isOther = charged && (charged.amount !== row.amount || charged.currency !== row.currency)
    const reason = isOther && state === 'bought' ? 'price' : null
    const known = { ...charged, labelRef: ref, number: trackingNumberOf(number) }
    await stored.saveLabel(tx, { ...row, ...known, state, boughtAt, dueAt, reason, code: null })
    const { leg, provider, carrier } = row
    await audit.record(tx, [
      { action: 'label.bought', objectType: 'kit', objectId: row.kitId, details: { leg, provider, carrier } },
    ])
  })
}

async function fetchDocument(ports: LabelPorts, { row, service }: Claimed): Promise<void> {
  const found = await service.find(refsOf(row))
  if (!found || found === 'pending') throw new Delay('NO_LABEL')
  const call = { provider: row.provider, method: 'GET', url: found.url }
  const printed = await fetchLabel(ports.callShipping, call).catch((err: unknown) => {
    if (err instanceof Delay && notFetched.test(err.code)) return undefined
    throw err
  })
  if (!printed) {
    await advance(ports, row, { dueAt: null, reason: 'badDocument' })
    return
  }
  const file = await ports.files.keep(stored.sealedLabels, [row.id], printed.bytes)
  await ports.open(async (tx) => {
    const now = await stored.lockLabel(tx, row.id)
    if (!now || now.file || now.tries !== row.tries) return
    await stored.saveDocument(tx, row.id, printed.mediaType, file)
    const reason = now.reason === 'price' ? now.reason : null
    await stored.saveLabel(tx, { ...now, reason, code: null, dueAt: now.state === 'voiding' ? now.dueAt : null })
  })
}

async function voidLabel(ports: LabelPorts, { row, service }: Claimed): Promise<void> {
  const before = await service.voidState(refsOf(row))
  // Some refuse one that comes too soon after the purchase: a person may ask again, and then it has no reason yet.
  const isToAsk = before === 'none' || (before === 'refused' && row.reason === null)
  const state = isToAsk ? await service.askVoid(refsOf(row)) : before
  const now = await nowOf(ports)
  const isOver = now.getTime() - row.createdAt.getTime() > GIVEN_UP_MS + REFUNDED_WITHIN_MS
  if (state === 'voided') await ended(ports, row, { state: 'voided', reason: null, code: null })
  else if (state === 'refused' || isOver) await ended(ports, row, { state: 'voidRefused', reason: 'notVoided' })
  else await advance(ports, row, { dueAt: new Date(now.getTime() + DAY_MS), reason: 'pending', code: null })
}

const ended = (ports: LabelPorts, row: stored.LabelRow, changes: Partial<stored.LabelRow>): Promise<void> =>
  ports.open(async (tx) => {
    const now = await stored.lockLabel(tx, row.id)
    if (!now || now.tries !== row.tries) return
    const isUnwanted = now.isWithdrawn && changes.state === 'refused'
    const next = { ...now, dueAt: null, ...changes, ...(isUnwanted && { state: 'withdrawn' as const }) }
    await stored.saveLabel(tx, next)
    const { leg, provider } = row
    const objectId = row.kitId
    await audit.record(tx, [
      { action: 'label.ended', objectType: 'kit', objectId, details: { leg, provider, state: next.state } },
    ])
  })

async function refused(
  ports: LabelPorts,
  row: stored.LabelRow,
  reason: Reason,
  code: string | undefined,
): Promise<void> {
  if (row.state !== 'queued' && row.state !== 'voiding') return delay(ports, row, 'unavailable', code)
  const state = row.state === 'voiding' ? 'voidRefused' : 'refused'
  await ended(ports, row, { state, reason: state === 'voidRefused' ? 'notVoided' : reason, code: code ?? null })
}

/** Comes again later, ever less often. */
async function delay(ports: LabelPorts, row: stored.LabelRow, reason: Reason, code?: string): Promise<void> {
  await ports.open(async (tx) => {
    const now = await stored.lockLabel(tx, row.id)
    if (!now || now.tries !== row.tries) return
    if (tx.now.getTime() - now.createdAt.getTime() > GIVEN_UP_MS && now.state !== 'voiding') {
      const isBought = now.state !== 'queued'
      await stored.saveLabel(tx, {
        ...now,
        dueAt: null,
        ...(isBought ? { reason: 'badDocument' } : { state: 'refused', reason: 'noAnswer' }),
      })
      return
    }
    const dueAt = new Date(tx.now.getTime() + waitAfter(now.tries))
    // That another price was charged is for a person; that a file is late is not.
    const why = now.state === 'bought' && now.reason === 'price' ? now.reason : reason
    await stored.saveLabel(tx, { ...now, dueAt, reason: why, code: code ?? null })
    await tx.enqueue(BUY_JOB, { realm: tx.realm, kitId: row.kitId }, { startAfter: dueAt })
  })
}
