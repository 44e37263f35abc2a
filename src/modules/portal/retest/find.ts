import { ageOn } from '../../../domain/age.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { settings } from '../../businesses/service.ts'
import { type PersonLimits, personRefusal } from '../../catalogue/eligibility.ts'
import { internalKitType, publicKitType } from '../../catalogue/kit-type.ts'
import { priceBook } from '../../catalogue/prices.ts'
import { findPanel } from '../../catalogue/service.ts'
import * as customers from '../../customers/service.ts'
import * as emails from '../../emails/service.ts'
import { retestRefused } from '../../emails/templates.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { Address } from '../../orders/address-schema.ts'
import { createOrders } from '../../orders/group.ts'
import type { OrderRequest, Recipient } from '../../orders/request.ts'
import * as queries from '../queries.ts'
import { maybeFindOwnKit } from '../registration/consent.ts'
import { countryCode, OPEN_DAYS } from './rules.ts'

/** A panel of a report that a person may order again, or has. */
export interface Retest {
  customerId: number
  reportId: string
  kit: KitRow
  panel: string
  /** What was ordered and may still lead to a report. */
  open: { orderId: string; at: Date; isPending: boolean } | undefined
  /** When the last one was ordered, if a provider refused it. */
  declinedAt: Date | undefined
  /** Whether the business reads its notices. */
  hasContact: boolean
}

const DAY_MS = 86_400_000

/** Of what was ordered the last time, what still holds up another order. */
function openOf(row: queries.RetestRow | undefined, now: Date): Retest['open'] {
  const { orderId, orderedAt, status, isUnderWay } = row ?? {}
  if (!orderId || !orderedAt || !isUnderWay || status === 'canceled') return undefined
  if (now.getTime() - orderedAt.getTime() > OPEN_DAYS * DAY_MS) return undefined
  return { orderId, at: orderedAt, isPending: status === 'pending' }
}

/** Whether a business lets its people order this panel again. */
const isOffered = (panels: readonly string[], kitType: string): boolean =>
  panels.some((panel) => internalKitType(panel) === kitType)

/** Whether the panel of a report can be ordered again by its person; undefined where there is nothing to say of it. */
export async function maybeFindRetest(tx: Tx, customerId: number, reportId: string): Promise<Retest | undefined> {
  const reports = await queries.selectPublishedReportsOfCustomer(tx, customerId)
  const kitId = reports.find(({ id }) => id === reportId)?.kitId
  const kit = kitId ? await maybeFindOwnKit(tx, customerId, kitId) : undefined
  if (!kit) return undefined
  const { retestPanels, contactEmail } = await settings(tx)
  const row = await queries.selectRetest(tx, { customerId, kitType: kit.kitType })
  const open = openOf(row, tx.now)
  const isAllowed = isOffered(retestPanels, kit.kitType) && (await priceBook(tx)).has(kit.kitType)
  if (!open && !isAllowed) return undefined
  const panel = await findPanel(tx, kit.kitType)
  if (!open && !(await isFor(tx, panel, customerId))) return undefined
  const declinedAt = row?.isDeclined && row.orderedAt ? row.orderedAt : undefined
  return { customerId, reportId, kit, panel: panel.name, open, declinedAt, hasContact: contactEmail !== null }
}

/** Whether the panel is for the person now: people grow older. */
async function isFor(tx: Tx, panel: PersonLimits, customerId: number): Promise<boolean> {
  const { dateOfBirth, gender } = await customers.find(tx, customerId)
  if (dateOfBirth === null) return true
  const age = ageOn(dateOfBirth, tx.now.toISOString().slice(0, 10))
  return personRefusal(panel, { age, sex: gender === 'M' || gender === 'F' ? gender : undefined }) === undefined
}

export interface Addressee {
  firstName: string
  lastName: string
  email: string
  phone: string | undefined
  address: Partial<Address>
}

/**
 * The person, with the address that their newest order went to, else the one of their registration. An order of somebody else's,
 * such as of an employer, tells nothing: it counts only if it went to the e-mail that registered the kit.
 */
export async function addresseeOf(
  tx: Tx,
  { customerId, kit }: Retest,
  languages: readonly string[],
): Promise<Addressee> {
  const { firstName, lastName, name, phone, address } = await customers.find(tx, customerId)
  const email = kit.registeredEmail ?? ''
  const last = email ? await queries.selectLastRecipient(tx, email) : undefined
  const { country, ...registered } = address ?? {}
  const [first = '', ...rest] = name.split(' ')
  return {
    firstName: firstName ?? first,
    lastName: lastName ?? (rest.join(' ') || first),
    email,
    phone: last?.phone ?? phone ?? undefined,
    address: last?.address ?? { ...registered, country: countryCode(country, [...languages, 'en']) },
  }
}

const TAG = 'retest'

/** `wrong`: the field of the address to which the panel is not offered. */
type Retested = 'ordered' | 'refused' | { wrong: string }

/**
 * Orders a panel again for a person, as `POST /create-order` would, with credits only. Where they do not cover it the order waits
 * if the settings let orders wait, else it is refused and the business is notified, once a day. A person and panel have one open order:
 * a second tap waits for the first, and finds its order.
 */
export async function orderRetest(tx: Tx, retest: Retest, recipient: Recipient): Promise<Retested> {
  const of = { customerId: retest.customerId, kitType: retest.kit.kitType }
  await queries.lockRetest(tx, of)
  const row = await queries.selectRetest(tx, of)
  if (openOf(row, tx.now)) return 'ordered'
  const orderId = await place(tx, of.kitType, recipient)
  if (typeof orderId === 'object') return orderId
  if (orderId === undefined) {
    const wasNotifiedToday = row?.refusedAt && tx.now.getTime() - row.refusedAt.getTime() < DAY_MS
    if (!wasNotifiedToday) {
      await queries.updateRetest(tx, of, { refusedAt: tx.now })
      await emails.queue(tx, [{ content: retestRefused(retest.panel), to: 'business' }])
    }
    return 'refused'
  }
  await queries.updateRetest(tx, of, { orderId })
  const details = { kitType: publicKitType(of.kitType), reportID: retest.reportId }
  await audit.record(tx, [{ action: 'retest.ordered', objectType: 'order', objectId: orderId, details }])
  return 'ordered'
}

/** The ID of the order; undefined if credits do not cover it and the settings let no order wait. */
async function place(tx: Tx, kitType: string, recipient: Recipient): Promise<string | { wrong: string } | undefined> {
  const order = { recipient, items: [{ kitType, quantity: 1 }], externalTags: [TAG], notify: true }
  const request: OrderRequest = { orders: [order], isBulk: false, paymentMethod: 'credits' }
  try {
    return idOf(await createOrders(tx, request))
  } catch (err) {
    // It was refused before anything was written.
    if (!(err instanceof AppError)) throw err
    if (err.code === 'ORDER_NOT_ALLOWED') return { wrong: err.details?.[0]?.path?.split('.').at(-1) ?? 'country' }
    if (err.code !== 'NOT_ENOUGH_CREDITS') throw err
    const { insufficientCredits } = await settings(tx)
    return insufficientCredits === 'pending'
      ? idOf(await createOrders(tx, { ...request, paymentMethod: 'later' }))
      : undefined
  }
}

function idOf(outcome: Awaited<ReturnType<typeof createOrders>>): string {
  const [orderId] = outcome.kind === 'placed' ? outcome.orderIds : []
  if (orderId === undefined) throw new Error('an order paid with credits was not placed')
  return orderId
}
