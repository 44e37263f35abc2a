import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { panels } from '../catalogue/service.ts'
import { modulesOf } from '../define-module.ts'
import { isGtin } from './code.ts'
import { lotProblem } from './decision.ts'
import { dayOfTx } from './find.ts'
import * as queries from './lot-queries.ts'
import type { Component, ComponentInput, KitLot, KitLotInput, LotPart, Quarantine } from './lot-schema.ts'
import { lockStock, selectBoxes, selectProductsOf } from './queries.ts'

const nameOf = ({ subject, lot }: { subject: string; lot: string }): string => `${subject} ${lot}`

const record = (
  tx: SystemTx,
  action: audit.AuditAction,
  lot: { subject: string; lot: string },
  details: Record<string, unknown>,
) => audit.recordSystem(tx, [{ action, objectType: 'lot', objectId: nameOf(lot), details: { ...lot, ...details } }])

function toComponent({ expiresOn, receivedAt, quarantine, ...row }: queries.ComponentRow): Component {
  return {
    ...row,
    expiryDate: expiresOn,
    ...(quarantine !== null && { quarantine }),
    receivedDate: receivedAt.toISOString(),
  }
}

export async function listComponents(tx: SystemTx, { page, size, ...filter }: queries.ComponentFilter) {
  const { rows, total } = await queries.selectComponents(tx, dayOfTx(tx), { page, size, ...filter })
  return { data: rows.map(toComponent), pagination: pagination(page, size, total) }
}

/** Receives a lot of a component. @throws VALIDATION_FAILED where it was received with another expiry date, or in other letters */
export async function receiveComponent(tx: SystemTx, input: ComponentInput): Promise<Component> {
  await lockStock(tx)
  const { expiryDate: expiresOn, ...given } = input
  const [known] = await queries.selectComponentLots(tx, dayOfTx(tx), [input])
  if (known && known.expiresOn !== expiresOn)
    refuse([{ message: `This lot was received with the expiry date ${known.expiresOn}`, path: 'expiryDate' }])
  const other = known ? undefined : await queries.selectOtherSpelling(tx, input)
  if (other) refuse([{ message: `This lot is known as ${other.component} ${other.lot}: write it so`, path: 'lot' }])
  const saved = await queries.saveComponent(tx, dayOfTx(tx), { ...given, expiresOn })
  const { component: subject, lot, quantity } = input
  await record(tx, 'lot.received', { subject, lot }, { expiresOn, quantity })
  return toComponent(saved)
}

/** A product as it is stored: a GTIN with 14 digits, or a kit type. */
export const productOf = (named: string): string =>
  /^\d{8,14}$/.test(named) ? named.padStart(14, '0') : internalKitType(named)

const toKitLot = (row: queries.KitLotRow, today: string): KitLot => {
  const { product, lot, isLoaded, isRecalled, quarantine, createdAt, components } = row
  const problem = lotProblem(row, today)
  return {
    product: isGtin(product) ? product : publicKitType(product),
    lot,
    components: components.map(({ component, lot, expiresOn }) => ({ component, lot, expiryDate: expiresOn })),
    isLoaded,
    isRecalled,
    ...(quarantine !== null && { quarantine }),
    ...(problem && { problem }),
    createdDate: createdAt.toISOString(),
  }
}

export async function listKitLots(tx: SystemTx, { page, size, product, lot }: queries.KitLotFilter) {
  const filter = { page, size, product: product?.map(productOf), lot }
  const { rows, total } = await queries.selectKitLots(tx, filter)
  return { data: rows.map((row) => toKitLot(row, dayOfTx(tx))), pagination: pagination(page, size, total) }
}

/**
 * Says what a lot of kits is built from, and loads it at the stations. What was said before stays: a trace is never lost.
 * @throws VALIDATION_FAILED for an unknown product or component; LOT_REFUSED where it may not be packed, or is not the first to expire
 */
export async function saveKitLot(tx: SystemTx, input: KitLotInput): Promise<KitLot> {
  await lockStock(tx)
  const product = productOf(input.product)
  const lot = { product, lot: input.lot }
  await assertProduct(tx, product, 'product')
  if (input.load && isGtin(product))
    refuse([{ message: 'Only a lot of kits that are packed by hand is loaded', path: 'load' }])
  const other = await queries.selectOtherKitLot(tx, lot)
  if (other) refuse([{ message: isKnownAs(other), path: 'lot' }])
  const today = dayOfTx(tx)
  const known = await queries.selectComponentLots(tx, today, input.components)
  const missing = input.components.findIndex((one) => !known.some((row) => isSame(row, one)))
  const wanted = input.components[missing]
  if (wanted) {
    const spelling = await queries.selectOtherSpelling(tx, wanted)
    const message = spelling ? isKnownAs(spelling) : 'This lot was never received'
    refuse([{ message, path: `components.${missing}` }])
  }
  await queries.insertKitLot(tx, lot)
  const added = await queries.insertParts(tx, lot, input.components)
  if (input.load) await load(tx, lot, today, input.outOfOrder)
  if (input.load === false) await queries.setLoaded(tx, lot, false)
  if (added > 0 || input.load !== undefined) {
    const loaded = input.load !== undefined && { loaded: input.load }
    await record(tx, 'lot.built', { subject: product, lot: input.lot }, { components: added, ...loaded })
  }
  for (const module of added > 0 ? modulesOf(tx.context) : []) await module.afterLotBuilt?.(tx, lot)
  const [saved] = await queries.selectKitLotsOf(tx, [lot])
  if (!saved) throw new Error('the lot that was just written is not there')
  return toKitLot(saved, today)
}

const isSame = (one: LotPart, other: LotPart): boolean => one.component === other.component && one.lot === other.lot

async function assertProduct(tx: SystemTx, product: string, path: string): Promise<void> {
  if (isGtin(product)) {
    if ((await selectProductsOf(tx, [product])).length === 0) refuse([{ message: 'No product has this GTIN', path }])
    return
  }
  const kitTypes = (await panels(tx)).map(({ kitType }) => kitType)
  if (kitTypes.some((kitType) => internalKitType(kitType) === product)) return
  const other = kitTypes.find((kitType) => kitType.toLowerCase() === product.toLowerCase())
  const message = other
    ? `This kit type is known as ${other}: write it so`
    : 'There is no such kit type, and it is no GTIN'
  refuse([{ message, path }])
}

/** @throws LOT_NOT_FOUND for one that was never received or built; VALIDATION_FAILED for an unknown product */
export async function assertLot(tx: SystemTx, { kind, subject, lot }: Omit<Quarantine, 'reason'>): Promise<void> {
  const kits = { product: productOf(subject), lot }
  const part = { component: subject, lot }
  const isOfKits = kind === 'kitLot'
  if (isOfKits) await assertProduct(tx, kits.product, 'subject')
  const known = isOfKits ? await knownAs(tx, kits) : await queries.selectComponentLots(tx, dayOfTx(tx), [part])
  if (known.length > 0) return
  const other = isOfKits ? await queries.selectOtherKitLot(tx, kits) : await queries.selectOtherSpelling(tx, part)
  if (!other) throw lotNotFound()
  throw new AppError('LOT_NOT_FOUND', isKnownAs(other))
}

const isKnownAs = (other: LotPart | queries.KitLot): string =>
  `This lot is known as ${'component' in other ? `${other.lot} of ${other.component}` : other.lot}: write it so`

/** A lot of kits is known that was built, or of which a box was received. */
const knownAs = async (tx: SystemTx, kits: queries.KitLot): Promise<readonly unknown[]> => [
  ...(await queries.selectKitLotsOf(tx, [kits])),
  ...(await selectBoxes(tx, { gtin: [kits.product], lot: [kits.lot], page: 0, size: 1 })).rows,
]

async function load(tx: SystemTx, lot: queries.KitLot, today: string, outOfOrder: boolean): Promise<void> {
  const [row] = await queries.selectKitLotsOf(tx, [lot])
  const problem = row && lotProblem(row, today)
  if (problem) throw new AppError('LOT_REFUSED', problem)
  for (const { component, expiresOn } of outOfOrder ? [] : (row?.components ?? [])) {
    const first = await queries.selectFirstComponent(tx, today, component)
    if (first && first.expiresOn < expiresOn)
      throw new AppError(
        'LOT_REFUSED',
        sentence(
          '{component} of lot {lot} expires first, on {date}. Use it up, or say that it is not to be used first.',
          { component, lot: first.lot, date: first.expiresOn },
        ),
      )
  }
  await queries.setLoaded(tx, lot, true)
}

/**
 * Sets a lot apart, or lets it be used again, and says how many free kits of its recalls are under way then.
 * @throws LOT_NOT_FOUND; LOT_REFUSED where it is to be used while it is recalled
 */
export async function quarantine(tx: SystemTx, { kind, subject: named, lot, reason }: Quarantine): Promise<number> {
  await lockStock(tx)
  await assertLot(tx, { kind, subject: named, lot })
  const why = reason ?? null
  const subject = kind === 'kitLot' ? productOf(named) : named
  const { isOpen, underWay } =
    why === null ? await queries.selectRecallsOfLot(tx, kind, subject, lot) : { isOpen: false, underWay: 0 }
  if (isOpen)
    throw new AppError('LOT_REFUSED', 'This lot is recalled: it is used again only after the recall is closed')
  if (kind === 'componentLot') await queries.setComponentQuarantine(tx, { component: subject, lot }, why)
  else {
    await queries.insertKitLot(tx, { product: subject, lot })
    await queries.setKitLotQuarantine(tx, { product: subject, lot }, why)
  }
  await record(tx, why === null ? 'lot.released' : 'lot.quarantined', { subject, lot }, { kind })
  return underWay
}

export const lotNotFound = () => new AppError('LOT_NOT_FOUND', 'There is no such lot')
