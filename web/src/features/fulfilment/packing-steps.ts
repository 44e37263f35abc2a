import { carrierOf, codeOf, isBoxCode, isKitId, isTrackingNumber, kitIdOf } from '../../components/station/codes.ts'
import { t } from '../../language/t.ts'

export type PackStep = 'kit' | 'outbound' | 'return'

/** What has been scanned of the kit that is being packed. */
export interface Packing {
  kitID: string
  step: PackStep
  /** What a reader gave of the sealed box. */
  box?: string
  /** The serial number of that box. */
  serial?: string
  /** Its box was refused: it is packed with another one, or begun again. */
  needsBox?: true
  outbound?: string
  /** What may be the number of a label, and is the serial number of a box: the packer says so. */
  doubtful?: string
}

/** What the stock knows of a code: the box that it means, with why this kit cannot be in it; `product`: it is on many boxes. */
export type Known = 'none' | 'several' | 'product' | { serial: string; problem?: string | undefined }

export interface Shipment {
  kitID: string
  carrier: string
  outboundTrackingNumber: string
  returnCarrier?: string
  returnTrackingNumber?: string
  box?: string
}

export type Scanned =
  | { outcome: 'right'; packing: Packing }
  /** The packer scanned another kit: they pack that one if it waits and nobody else packs it. */
  | { outcome: 'other'; kitID: string }
  /** A box, or the number of a label: the stock knows. */
  | { outcome: 'ask' }
  | { outcome: 'done'; shipment: Shipment }
  | { outcome: 'wrong'; sentence: string; packing?: Packing }

export const begin = (kitID: string): Packing => ({ kitID, step: 'kit' })

const wrong = (sentence: string, packing?: Packing): Scanned => ({
  outcome: 'wrong',
  sentence,
  ...(packing && { packing }),
})

const labelOf = (step: PackStep) =>
  step === 'outbound' ? t('the label that goes to the recipient') : t('the return label')

/** The outcome of one scan: the next step, what was expected instead, or that the stock has to be asked. */
export function scan(packing: Packing, scanned: string): Scanned {
  const code = codeOf(scanned)
  const { kitID, step, outbound } = packing
  if (step === 'kit') return scanKit(packing, code, isBoxCode(scanned))
  if (step === 'outbound' && isBoxCode(scanned)) return { outcome: 'ask' }
  const label = labelOf(step)
  if (code === kitID) return wrong(t("That is the kit's own code again. Scan {label}.", { label }))
  if (isKitId(code))
    return wrong(t('{code} is a kit. Scan {label}, or press Esc to pack another kit.', { code, label }))
  if (isBoxCode(scanned)) return wrong(t('That is not a tracking number. Scan {label}.', { label }))
  if (code === outbound) return wrong(t('That is the outbound label again. Scan the return label.'))
  return { outcome: 'ask' }
}

/** The outcome of a scan by what the stock knows of it. What may mean a box and a label binds neither. */
export function scanKnown(packing: Packing, scanned: string, known: Known, defaultCarrier: string): Scanned {
  const code = codeOf(scanned)
  const { kitID, step, needsBox } = packing
  const label = labelOf(step)
  const canBeNumber = isTrackingNumber(code) && !isBoxCode(scanned)
  if (known === 'product') {
    return step === 'return'
      ? wrong(t('That is not a tracking number. Scan {label}.', { label }))
      : wrong(t('That is a code of the box, but does not say which one. Scan its square code, or {label}.', { label }))
  }
  if (known === 'none') {
    if (needsBox) return wrong(t('The box was refused. Scan another box, or press Esc to pack the kit without one.'))
    if (canBeNumber) return takeLabel(packing, code, defaultCarrier)
    return wrong(t('That is neither a tracking number nor a box that was received. Scan {label}.', { label }))
  }
  const isSame = known !== 'several' && known.serial === packing.serial
  if (isSame && !isBoxCode(scanned)) return wrong(t('That is the box again. Scan {label}.', { label }))
  const isUnclear = step === 'return' || known === 'several' || carrierOf(code) !== undefined
  if (canBeNumber && isUnclear && !needsBox) {
    return wrong(doubtAbout(code, step), { ...packing, doubtful: code })
  }
  if (known === 'several')
    return wrong(t('Several products have a box with this serial number. Scan the square code of the box.'))
  if (step === 'return') return wrong(t('{serial} is a box. Scan {label}.', { serial: known.serial, label }))
  if (known.problem !== undefined) return wrong(known.problem, { kitID, step, needsBox: true })
  return { outcome: 'right', packing: { kitID, step, box: scanned.trim(), serial: known.serial } }
}

const doubtAbout = (code: string, step: PackStep): string =>
  step === 'outbound'
    ? t(
        '{code} is the serial number of a box, and may be a tracking number. Scan the square code of the box, or press F6 if it is on the label.',
        { code },
      )
    : t('{code} is the serial number of a box. Scan the return label, or press F6 if this is its number.', { code })

/** A label was scanned: the next step, or the finished shipment. */
export function takeLabel(packing: Packing, code: string, defaultCarrier: string): Scanned {
  const { kitID, step, box, serial } = packing
  if (step === 'return') return { outcome: 'done', shipment: shipmentOf(packing, defaultCarrier, code) }
  const inBox = { ...(box && { box }), ...(serial && { serial }) }
  return { outcome: 'right', packing: { kitID, step: 'return', outbound: code, ...inBox } }
}

function scanKit({ kitID }: Packing, code: string, isBox: boolean): Scanned {
  if (kitIdOf(code) === kitID) return { outcome: 'right', packing: { kitID, step: 'outbound' } }
  if (isKitId(code)) return { outcome: 'other', kitID: kitIdOf(code) }
  if (isBox) return wrong(t('That is a box. Scan the kit first: {kitID}.', { kitID }))
  if (carrierOf(code) !== undefined) return wrong(t('That is a label. Scan the kit first: {kitID}.', { kitID }))
  return wrong(t('That is not a kit. Scan {kitID}.', { kitID }))
}

/** The shipment, with or without a return label. If a number identifies no carrier, the chosen one is used. */
export function shipmentOf(packing: Packing, defaultCarrier: string, returnCode?: string): Shipment {
  const outbound = packing.outbound ?? ''
  return {
    kitID: packing.kitID,
    carrier: carrierOf(outbound) ?? defaultCarrier,
    outboundTrackingNumber: outbound,
    ...(packing.box && { box: packing.box }),
    ...(returnCode !== undefined && {
      returnCarrier: carrierOf(returnCode) ?? defaultCarrier,
      returnTrackingNumber: returnCode,
    }),
  }
}

/** One scan back. */
export function back({ kitID, step, box, serial }: Packing): Packing {
  if (step !== 'return') return begin(kitID)
  return { kitID, step: 'outbound', ...(box && { box }), ...(serial && { serial }) }
}
