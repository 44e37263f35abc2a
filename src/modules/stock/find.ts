import { type Sentence, sentence } from '@kitlane/display/sentence'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { type BoxCode, type ReadCode, readCode } from './code.ts'
import { type BoxRow, lockByCodes, selectBoundByCode, selectOfKit } from './queries.ts'
import type { KitBox } from './schema.ts'

export const dayOfTx = ({ now }: { now: Date }): string => now.toISOString().slice(0, 10)

const NOT_KNOWN = sentence('This box was never received. Receive it into stock first.')
const AMBIGUOUS = sentence('Several products have a box with this serial number. Scan the square code of the box.')

/** The one of these boxes that a code means: of several in another case, the one that is written alike. */
function meantBy<B extends { gtin: string; serial: string }>(
  code: BoxCode,
  boxes: readonly B[],
): B | 'several' | undefined {
  const same = boxes.filter(
    ({ gtin, serial }) =>
      (code.gtin === undefined || gtin === code.gtin) && serial.toUpperCase() === code.serial.toUpperCase(),
  )
  const exact = same.filter(({ serial }) => serial === code.serial)
  const found = exact.length > 0 || code.gtin !== undefined ? exact : same
  return found.length > 1 ? 'several' : found[0]
}

/** The box of a code among boxes, or why there is none. A code that contradicts what is known of its box is refused. */
export function boxOf(read: ReadCode, boxes: readonly BoxRow[]): { box: BoxRow } | { problem: Sentence } {
  if ('problem' in read) return read
  const found = meantBy(read.code, boxes)
  if (found === undefined) return { problem: NOT_KNOWN }
  if (found === 'several') return { problem: AMBIGUOUS }
  const { lot, expiresOn } = read.code
  const differs = (lot !== undefined && lot !== found.lot) || (expiresOn !== undefined && expiresOn !== found.expiresOn)
  if (differs)
    return {
      problem: sentence('Box {serial} was received with another lot or expiry date. Set it apart and look into it.', {
        serial: found.serial,
      }),
    }
  return { box: found }
}

/** The boxes of codes, locked, in the order of the codes; or why there is none. */
export async function findBoxes(tx: SystemTx, texts: readonly string[]) {
  const today = dayOfTx(tx)
  const readings = texts.map((text) => ({ text, read: readCode(text, today) }))
  const boxes = await lockByCodes(
    tx,
    readings.flatMap(({ read }) => ('code' in read ? [read.code] : [])),
  )
  const bySerial = Map.groupBy(boxes, ({ serial }) => serial.toUpperCase())
  return readings.map(({ text, read }) => ({
    text,
    ...boxOf(read, 'code' in read ? (bySerial.get(read.code.serial.toUpperCase()) ?? []) : []),
  }))
}

/** The kit whose box has this code, of this realm or of any; undefined where there is none, or several. */
export async function maybeFindKitOfBox(tx: Tx | SystemTx, text: string): Promise<string | undefined> {
  const read = readCode(text, dayOfTx(tx))
  if ('problem' in read) return undefined
  const found = meantBy(read.code, await selectBoundByCode(tx, read.code, 'realm' in tx ? tx.realm : undefined))
  return typeof found === 'object' ? found.kitId : undefined
}

/** Whether a code names its product, as no tracking number does. */
export function isSquareCode(text: string, now: { now: Date }): boolean {
  const read = readCode(text, dayOfTx(now))
  return 'code' in read && read.code.gtin !== undefined
}

/** The box of a kit. */
export async function maybeFindBoxOfKit(tx: Tx, kitId: string): Promise<KitBox | undefined> {
  const row = await selectOfKit(tx, kitId)
  if (!row) return undefined
  const { expiresOn: expiryDate, ...box } = row
  return { ...box, expiryDate }
}
