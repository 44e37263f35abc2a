import { sentence } from '@kitlane/display/sentence'
import { isKitId, normalizeId } from '@kitlane/display/short-id'
import { AppError } from '../../domain/errors.ts'
import { oldestFirst, type Part } from '../../platform/database/oldest-first.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { maybeFindKitOfBox } from '../stock/find.ts'
import type { KitFilter } from './filter-queries.ts'
import { lifetimeStatuses } from './lifecycle.ts'
import { type KitRow, selectAfter, selectKitsByIds, selectPart, selectRange } from './queries.ts'
import { selectRecallOf } from './recall-queries.ts'
import { allowed, type KitState } from './rules.ts'
import type { KitRecord } from './schema.ts'

export const kitNotFound = () => new AppError('KIT_NOT_FOUND', sentence('There is no such kit'))

/** The part of a kit that the rules read. */
export const stateOf = ({ kitStatus, sampleStatus, status, progress, reason }: KitRow): KitState => ({
  kitStatus,
  sampleStatus,
  status,
  progress,
  ...(reason !== null && { reason }),
})

export interface RecordOptions {
  /** Default true. */
  shipment?: boolean
  /** Who is named. Default: nobody. */
  names?: { recipient: boolean; registered: boolean } | undefined
}

/** A kit as the API shows it. */
export function toRecord(kit: KitRow, { shipment = true, names }: RecordOptions = {}): KitRecord {
  const recipientName = names?.recipient && nameOf(kit)
  const registeredName = names?.registered && kit.registeredAt !== null && nameOf(kit.registration)
  return {
    kitID: kit.id,
    orderID: kit.orderId,
    kitType: publicKitType(kit.kitType),
    ...(kit.recipientEmail !== null && { recipientEmail: kit.recipientEmail }),
    ...(recipientName && { recipientName }),
    registeredToEmail: (kit.registeredAt !== null && kit.registeredEmail) || '',
    ...(registeredName && { registeredName }),
    createdDate: kit.createdAt.toISOString(),
    lastUpdatedDate: kit.updatedAt.toISOString(),
    kitStatus: kit.kitStatus,
    sampleStatus: kit.sampleStatus,
    status: kit.status,
    externalID: kit.externalId ?? '',
    progress: progressList(kit),
    ...(shipment && Object.keys(kit.shipment).length > 0 && { shipment: kit.shipment }),
    ...(kit.customerId !== null && { customerID: kit.customerId }),
    ...(kit.registeredAt !== null && { registrationDate: kit.registeredAt.toISOString() }),
    ...(kit.postedAt !== null && { postedDate: kit.postedAt.toISOString() }),
    ...(kit.reason !== null && { exceptionReason: kit.reason }),
    ...(kit.replacementFor !== null && { replacementFor: kit.replacementFor }),
    ...(kit.replacedBy !== null && { replacedBy: kit.replacedBy }),
    allowed: allowed(stateOf(kit)),
  }
}

/** First and last name, as far as they are known. */
export function nameOf(person: unknown): string {
  const { firstName, lastName } = (person ?? {}) as { firstName?: string | null; lastName?: string | null }
  return [firstName, lastName].filter(Boolean).join(' ')
}

/** The name that the person of a registration has by now. */
export const nameOfRegistered = (registration: unknown): string =>
  (registration as { correctedName?: string } | null)?.correctedName ?? nameOf(registration)

function progressList({ progress, registeredAt }: KitRow): KitRecord['progress'] {
  const shown = lifetimeStatuses.filter((type) => type !== 'sampleRejected' || progress.sampleRejected)
  // A sample that came first has passed the step, which nobody has taken.
  const isUnregistered = registeredAt === null && progress.sampleInTransit !== undefined
  return shown.map((type) => {
    const time = type === 'kitRegistered' && isUnregistered ? undefined : progress[type]
    return time === undefined ? { type } : { type, date: time.slice(0, 10) }
  })
}

/** The ID of a kit of this realm that is named by it, or by the code of its sealed box. What means no box stays as it is. */
export async function kitIdOf(tx: Tx, text: string): Promise<string> {
  if (isKitId(text)) return normalizeId(text)
  return (await maybeFindKitOfBox(tx, text)) ?? normalizeId(text)
}

/** A kit of this realm; undefined if it does not exist. */
export async function maybeFindKit(tx: Tx, id: string): Promise<KitRecord | undefined> {
  const [kit] = await selectKitsByIds(tx, [id])
  return kit && toRecord(kit)
}

/** A kit of this realm. @throws KIT_NOT_FOUND */
export async function findKit(tx: Tx, id: string): Promise<KitRecord> {
  const kit = await maybeFindKit(tx, id)
  if (!kit) throw kitNotFound()
  return kit
}

/** What is said of a kit to somebody who wants to register it. */
export async function checked(tx: Tx, kitID: string, kit: KitRecord | undefined) {
  if (!kit) return { exists: false, kitID }
  const { kitStatus, sampleStatus, isTest } = kit
  const isRecalled = (await selectRecallOf(tx, kitID)) !== undefined
  return { exists: true, kitID, kitStatus, sampleStatus, ...(isTest && { isTest }), ...(isRecalled && { isRecalled }) }
}

export interface KitListing extends KitFilter, RecordOptions {
  /** 0-based. */
  page: number
  size: number
  /** Default false. */
  isOldestFirst?: boolean
}

/** Kits, newest first unless it says otherwise, with how many there are in all. */
export async function listKits(tx: Tx, listing: KitListing): Promise<{ kits: KitRecord[]; total: number }> {
  const { page, size, shipment, names, isOldestFirst, ...filter } = listing
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const read = (part: Part) => (isFiltered ? selectPart(tx, filter, part) : selectRange(tx, part))
  const part = { skip: page * size, size }
  const { total, rows } = isOldestFirst ? await oldestFirst(part, read) : await read(part)
  return { kits: rows.map((kit) => toRecord(kit, { shipment, names })), total }
}

/** Kits after one in the order of the list; from its beginning on without it. */
export async function listKitsAfter(
  tx: Tx,
  filter: KitFilter,
  place: { id: string | undefined; size: number; isOldestFirst: boolean },
): Promise<KitRecord[]> {
  const rows = await selectAfter(tx, filter, place)
  return rows.map((kit) => toRecord(kit))
}
