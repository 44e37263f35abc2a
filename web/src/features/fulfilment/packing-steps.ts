import { carrierOf, codeOf, isBoxCode, isKitId, isTrackingNumber, kitIdOf } from '../../components/station/codes.ts'
import { t } from '../../language/t.ts'

export type PackStep = 'kit' | 'outbound' | 'return'

/** What has been scanned of the kit that is being packed. */
export interface Packing {
  kitID: string
  step: PackStep
  /** What a reader gave of the sealed box. */
  box?: string
  /** Its box was refused: it is packed with another one, or begun again. */
  needsBox?: true
  outbound?: string
}

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
  | { outcome: 'done'; shipment: Shipment }
  | { outcome: 'wrong'; sentence: string }

export const begin = (kitID: string): Packing => ({ kitID, step: 'kit' })

const wrong = (sentence: string): Scanned => ({ outcome: 'wrong', sentence })

/** The outcome of one scan: the next step, the finished shipment, or what was expected instead. */
export function scan(packing: Packing, scanned: string, defaultCarrier: string): Scanned {
  const code = codeOf(scanned)
  const { kitID, step, outbound = '', box } = packing
  if (step === 'kit') return scanKit(packing, code)
  if (step === 'outbound' && isBoxCode(scanned)) {
    return { outcome: 'right', packing: { kitID, step, box: scanned.trim() } }
  }
  if (packing.needsBox)
    return wrong(t('The box was refused. Scan another box, or press Esc to pack the kit without one.'))
  const label = step === 'outbound' ? t('the label that goes to the recipient') : t('the return label')
  if (code === kitID) return wrong(t("That is the kit's own code again. Scan {label}.", { label }))
  if (isKitId(code))
    return wrong(t('{code} is a kit. Scan {label}, or press Esc to pack another kit.', { code, label }))
  if (!isTrackingNumber(code)) return wrong(t('That is not a tracking number. Scan {label}.', { label }))
  if (step === 'outbound')
    return { outcome: 'right', packing: { kitID, step: 'return', outbound: code, ...(box && { box }) } }
  if (code === outbound) return wrong(t('That is the outbound label again. Scan the return label.'))
  return { outcome: 'done', shipment: shipmentOf(packing, defaultCarrier, code) }
}

function scanKit({ kitID }: Packing, code: string): Scanned {
  if (kitIdOf(code) === kitID) return { outcome: 'right', packing: { kitID, step: 'outbound' } }
  if (isKitId(code)) return { outcome: 'other', kitID: kitIdOf(code) }
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
export function back({ kitID, step, box }: Packing): Packing {
  return step === 'return' ? { kitID, step: 'outbound', ...(box && { box }) } : begin(kitID)
}
