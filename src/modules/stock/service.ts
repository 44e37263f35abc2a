import { isOfProduct } from '@kitlane/display/box-label'
import { type Sentence, sentence } from '@kitlane/display/sentence'
import { isKitId, normalizeId } from '@kitlane/display/short-id'
import type { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { pagination } from '../../platform/http/fields.ts'
import { refuse } from '../../platform/http/validate.ts'
import { inSlices } from '../../platform/slices.ts'
import * as audit from '../audit/service.ts'
import { internalKitType, publicKitType } from '../catalogue/kit-type.ts'
import { panels } from '../catalogue/service.ts'
import { type BoxCode, isGtin, NO_SERIAL, readCode } from './code.ts'
import { type Movement, next, refusalOf } from './decision.ts'
import { boxOf, dayOfTx, findBoxes } from './find.ts'
import { problemOfBox } from './pack.ts'
import * as queries from './queries.ts'
import type {
  AdjustmentInput,
  Box,
  CountInput,
  MovedRow,
  Product,
  ProductInput,
  ReceiptInput,
  TransferInput,
} from './schema.ts'

type Audited = 'stock.received' | 'stock.transferred' | 'stock.counted' | 'stock.adjusted'

const record = (tx: SystemTx, action: Audited, place: string, details: Record<string, unknown>) =>
  audit.recordSystem(tx, [{ action, objectType: 'stock', objectId: place, details }])

function toProduct({ changedAt, kitType, ...product }: queries.ProductRow): z.infer<typeof Product> {
  return { ...product, kitType: publicKitType(kitType), changedDate: changedAt.toISOString() }
}

export async function listProducts(tx: SystemTx, { page, size }: { page: number; size: number }) {
  const total = await queries.countProducts(tx)
  const rows = await queries.selectProducts(tx, { page, size })
  return { data: rows.map(toProduct), pagination: pagination(page, size, total) }
}

/**
 * Says of which kit type the boxes of a GTIN are, and when they are low or too old.
 * @throws VALIDATION_FAILED for an unknown kit type, and for another one once the product has boxes
 */
export async function saveProduct(tx: SystemTx, gtin: string, { kitType: named, ...given }: ProductInput) {
  await queries.lockStock(tx)
  const points = Object.entries(given.reorderPoints)
  if (new Set(points.map(([place]) => place.toLowerCase())).size < points.length) {
    refuse([{ message: 'One place is named twice', path: 'reorderPoints' }])
  }
  const spelled = points.map(async ([place, point]) => [await queries.spellingOf(tx, place), point] as const)
  const input = { ...given, reorderPoints: Object.fromEntries(await Promise.all(spelled)) }
  const kitType = internalKitType(named)
  const known = await panels(tx)
  if (!known.some((panel) => internalKitType(panel.kitType) === kitType)) {
    refuse([{ message: 'There is no such kit type', path: 'kitType' }])
  }
  const [before] = await queries.selectProductsOf(tx, [gtin])
  if (before && before.kitType !== kitType && (await queries.hasBoxes(tx, gtin))) {
    refuse([{ message: 'Boxes of this product were received as another kit type', path: 'kitType' }])
  }
  const saved = await queries.saveProduct(tx, { gtin, kitType, ...input })
  await audit.recordSystem(tx, [
    {
      action: 'stock_product.saved',
      objectType: 'stockProduct',
      objectId: gtin,
      details: { kitType: named, ...input },
    },
  ])
  return toProduct(saved)
}

function toBox(row: queries.BoxRow): Box {
  const { gtin, serial, kitType, lot, expiresOn, place, state, kitId, registerBy, receivedAt } = row
  return {
    gtin,
    serial,
    kitType: publicKitType(kitType),
    lot,
    expiryDate: expiresOn,
    place,
    state,
    ...(kitId !== null && { kitID: kitId }),
    ...(registerBy !== null && { registerBy }),
    receivedDate: receivedAt.toISOString(),
  }
}

export async function listBoxes(tx: SystemTx, { page, size, ...filter }: queries.BoxFilter) {
  const { rows, total } = await queries.selectBoxes(tx, { page, size, ...filter })
  return { data: rows.map(toBox), pagination: pagination(page, size, total) }
}

/** A box with all that happened to it, and why it cannot be packed for a kit of a type. @throws BOX_NOT_FOUND */
export async function boxHistory(tx: SystemTx, text: string, kitType?: string) {
  const read = readCode(text, dayOfTx(tx))
  const found = boxOf(read, 'code' in read ? await queries.selectByCodes(tx, [read.code]) : [])
  if ('problem' in found) throw new AppError('BOX_NOT_FOUND', found.problem)
  const movements = await queries.selectMovements(tx, found.box.id)
  const problem = kitType === undefined ? undefined : await problemOfBox(tx, found.box, internalKitType(kitType))
  return {
    box: toBox(found.box),
    ...(problem && { problem }),
    movements: movements.map(({ kind, place, reason, note, kitId, actor, at }) => ({
      kind,
      place,
      ...(reason && { reason }),
      ...(note && { note }),
      ...(kitId && { kitID: kitId }),
      by: actor,
      at: at.toISOString(),
    })),
  }
}

function answerOf(rows: MovedRow[]) {
  const count = (status: MovedRow['status']) => rows.filter((row) => row.status === status).length
  return { done: count('done'), already: count('already'), failed: count('failed'), rows }
}

const failed = (code: string, error: Sentence): MovedRow => ({ code, status: 'failed', error })

/** Puts new boxes into stock. One that is known already changes nothing; a wrong row does not stop the others. */
export async function receive(tx: SystemTx, { place: named, boxes, note, dryRun }: ReceiptInput) {
  const place = await queries.spellingOf(tx, named)
  const today = dayOfTx(tx)
  const rows: (MovedRow & { wanted?: queries.NewBox })[] = []
  await inSlices(boxes, ({ code, gtin, lot, expiryDate }) => {
    const read = readCode(code, today)
    rows.push('problem' in read ? failed(code, read.problem) : rowOf(code, read.code, { gtin, lot, expiryDate, place }))
  })
  const wanted = rows.flatMap(({ wanted }) => wanted ?? [])
  const gtins = wanted.map(({ gtin }) => gtin)
  const products = new Set((await queries.selectProductsOf(tx, gtins)).map(({ gtin }) => gtin))
  const serials = wanted.map(({ serial }) => ({ serial }))
  const known = new Map((await queries.lockByCodes(tx, serials)).map((box) => [keyOf(box), box]))
  const added = new Map<string, queries.NewBox>()
  const answers = rows.map(({ wanted: box, ...row }): MovedRow => {
    if (!box) return row
    const { gtin, serial } = box
    const key = keyOf(box)
    const same = known.get(key) ?? added.get(key)
    if (!products.has(gtin)) return failed(row.code, NO_PRODUCT)
    if (row.code.trim() === serial && isOfProduct(serial, [gtin])) return failed(row.code, NO_SERIAL)
    if (same && same.serial !== serial) return failed(row.code, OTHER_CASE)
    if (same && (same.lot !== box.lot || same.expiresOn !== box.expiresOn)) {
      return failed(
        row.code,
        sentence('Box {serial} was received with another lot or expiry date. Set it apart and look into it.', {
          serial,
        }),
      )
    }
    if (same) return { code: row.code, status: 'already', gtin, serial }
    added.set(key, box)
    return { code: row.code, status: 'done', gtin, serial }
  })
  if (!dryRun && added.size > 0) {
    const written = await queries.insertBoxes(tx, [...added.values()])
    await queries.insertMovements(
      tx,
      written.map(({ id, place }) => ({ boxId: id, kind: 'received', place, state: 'inStock', note })),
    )
    await record(tx, 'stock.received', place, { boxes: written.length })
  }
  return { dryRun, ...answerOf(answers) }
}

/** People type a serial number in small letters or large ones. */
const keyOf = ({ gtin, serial }: { gtin: string; serial: string }): string => `${gtin} ${serial.toUpperCase()}`
const OTHER_CASE = sentence(
  'Another box has this serial number in other letters, large or small: people could not tell them apart.',
)
const NO_PRODUCT = sentence('No product has this GTIN. Say first of which kit type it is.')

function rowOf(
  code: string,
  read: BoxCode,
  beside: { gtin?: string | undefined; lot?: string | undefined; expiryDate?: string | undefined; place: string },
): MovedRow & { wanted?: queries.NewBox } {
  const { serial, gtin = beside.gtin, lot = beside.lot, expiresOn = beside.expiryDate } = read
  const contradicts =
    (beside.gtin !== undefined && gtin !== beside.gtin) ||
    (beside.lot !== undefined && lot !== beside.lot) ||
    (beside.expiryDate !== undefined && expiresOn !== beside.expiryDate)
  if (contradicts) return failed(code, sentence('The code says something else than what was typed beside it.'))
  if (isKitId(normalizeId(serial)))
    return failed(code, sentence('This serial number is the ID of a kit, too: people would register that one.'))
  if (hidesElement(serial, { lot, expiresOn }))
    return failed(
      code,
      sentence('The serial number holds the lot or the expiry date: the reader drops the separators. Type it instead.'),
    )
  if (gtin === undefined && /^\d{12,14}$/.test(serial) && isGtin(serial.padStart(14, '0')))
    return failed(code, NO_SERIAL)
  if (gtin === undefined || !isGtin(gtin))
    return failed(code, sentence('This code names no product: scan the square code of the box.'))
  if (lot === undefined) return failed(code, sentence('Say the lot: the code has none.'))
  if (expiresOn === undefined) return failed(code, sentence('Say the expiry date: the code has none.'))
  return { code, status: 'done', wanted: { gtin, serial, lot, expiresOn, place: beside.place } }
}

/** Without its separators a serial number goes on with the next elements: `17` and the expiry date, `10` and the lot. */
function hidesElement(
  serial: string,
  { lot, expiresOn }: { lot?: string | undefined; expiresOn?: string | undefined },
): boolean {
  const day = expiresOn?.slice(2).replaceAll('-', '')
  return (day !== undefined && serial.includes(`17${day}`)) || (lot !== undefined && serial.endsWith(`10${lot}`))
}

type Wanted = (box: queries.BoxRow) => Movement & { note?: string | undefined }

/** Moves the boxes of codes, each as far as it can be. */
async function moveBoxes(tx: SystemTx, texts: readonly string[], wanted: Wanted): Promise<MovedRow[]> {
  await queries.lockStock(tx)
  const found = await findBoxes(tx, texts)
  const movements = new Map<number, queries.NewMovement>()
  const rows = found.map((one): MovedRow => {
    if ('problem' in one) return failed(one.text, one.problem)
    const { text, box } = one
    const { gtin, serial } = box
    if (movements.has(box.id)) return { code: text, status: 'already', gtin, serial }
    const movement = wanted(box)
    const after = next(box, movement)
    if (!after) return failed(text, refusalOf(box))
    if (after === box) return { code: text, status: 'already', gtin, serial }
    movements.set(box.id, { ...movement, boxId: box.id, place: after.place, state: after.state })
    return { code: text, status: 'done', gtin, serial }
  })
  await write(tx, [...movements.values()])
  return rows
}

async function write(tx: SystemTx, movements: readonly queries.NewMovement[]): Promise<void> {
  await queries.updateStanding(tx, movements)
  await queries.insertMovements(tx, movements)
}

/** Moves boxes to another place. */
export async function transfer(tx: SystemTx, { to: named, boxes, note }: TransferInput) {
  const to = await queries.spellingOf(tx, named)
  const answer = answerOf(await moveBoxes(tx, boxes, () => ({ kind: 'transferred', place: to, note })))
  await record(tx, 'stock.transferred', to, { boxes: answer.done })
  return answer
}

/** Writes boxes off, or takes back into stock what was found. */
export async function adjust(tx: SystemTx, { reason, boxes, place: named, note }: AdjustmentInput) {
  const place = named && (await queries.spellingOf(tx, named))
  const wanted: Wanted = (box) => ({ kind: 'adjusted', reason, place: place ?? box.place, note })
  const answer = answerOf(await moveBoxes(tx, boxes, wanted))
  await record(tx, 'stock.adjusted', place ?? reason, { reason, boxes: answer.done })
  return answer
}

/** Compares what was scanned at a place with what should be there. */
export async function count(tx: SystemTx, { place: named, boxes: texts, gtins, apply, note }: CountInput) {
  const place = await queries.spellingOf(tx, named)
  const expected = await queries.lockInStockAt(tx, place, gtins)
  const found = await findBoxes(tx, texts)
  const scanned = new Map(found.flatMap((one) => ('box' in one ? [[one.box.id, one.box] as const] : [])))
  const onKits = (box: queries.BoxRow) => box.state === 'bound'
  const missing = expected.filter(({ id }) => !scanned.has(id))
  const isExpected = new Set(expected.map(({ id }) => id))
  const unexpected = [...scanned.values()].filter((box) => !onKits(box) && !isExpected.has(box.id))
  const problems = found.flatMap((one): MovedRow[] => {
    if ('problem' in one) return [failed(one.text, one.problem)]
    return onKits(one.box) ? [failed(one.text, refusalOf(one.box))] : []
  })
  if (apply) {
    const gone = missing.map(
      ({ id }) => ({ boxId: id, kind: 'countedMissing', place, state: 'writtenOff', note }) as const,
    )
    const here = unexpected.map(
      ({ id }) => ({ boxId: id, kind: 'countedFound', place, state: 'inStock', note }) as const,
    )
    await write(tx, [...gone, ...here])
    await record(tx, 'stock.counted', place, { missing: gone.length, unexpected: here.length })
  }
  return {
    applied: apply,
    expected: expected.length,
    counted: expected.length - missing.length,
    missing: missing.map(toBox),
    unexpected: unexpected.map(toBox),
    failed: problems,
  }
}
