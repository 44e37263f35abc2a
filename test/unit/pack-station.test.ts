import { isOfProduct } from '@kitlane/display/box-label'
import { describe, expect, it } from 'vitest'
import { newKitIds } from '../../src/domain/ids.ts'
import { carrierOf, codeOf } from '../../web/src/components/station/codes.ts'
import {
  back,
  begin,
  type Known,
  type Packing,
  scan,
  scanKnown,
  takeLabel,
} from '../../web/src/features/fulfilment/packing-steps.ts'

const [kit = '', other = ''] = newKitIds(2)
const OUT = '1Z999AA10123456784'
const RETURN = '9400100000000000000000'
const BOX = '(01)09506000134352(17)280131(10)L7(21)A0001'

/** The outcome of a scan, where the stock knows `known` of the code. */
function outcome(packing: Packing, code: string, known: Known = 'none') {
  const result = scan(packing, code)
  return result.outcome === 'ask' ? scanKnown(packing, code, known, 'DHL') : result
}
function scanned(packing: Packing, code: string, known?: Known): Packing {
  const result = outcome(packing, code, known)
  if (result.outcome !== 'right') throw new Error(JSON.stringify(result))
  return result.packing
}
const sentence = (packing: Packing, code: string, known?: Known) => {
  const result = outcome(packing, code, known)
  return result.outcome === 'wrong' ? result.sentence : result.outcome
}
const atLabel = scanned(begin(kit), kit)

describe('at the pack station', () => {
  it('three scans make a shipment, and the numbers say who carries it', () => {
    const packing = scanned(scanned(begin(kit), kit), OUT)
    expect(outcome(packing, RETURN)).toEqual({
      outcome: 'done',
      shipment: {
        kitID: kit,
        carrier: 'UPS',
        outboundTrackingNumber: OUT,
        returnCarrier: 'USPS',
        returnTrackingNumber: RETURN,
      },
    })
  })

  it('the address on the label counts as the code of the kit, in any case and with blanks around it', () => {
    expect(codeOf(` https://kits.example.com/k/${kit.toLowerCase()}?x=1\n`)).toBe(kit)
    expect(scanned(begin(kit), `http://localhost:8080/k/${kit}`).step).toBe('outbound')
  })

  it('a wrong code is refused with what was expected', () => {
    expect(sentence(begin(kit), 'A0001')).toBe(`That is not a kit. Scan ${kit}.`)
    expect(sentence(begin(kit), OUT)).toBe(`That is a label. Scan the kit first: ${kit}.`)
    expect(sentence(begin(kit), BOX)).toBe(`That is a box. Scan the kit first: ${kit}.`)
    const outbound = scanned(begin(kit), kit)
    expect(sentence(outbound, kit)).toContain("kit's own code")
    expect(sentence(outbound, other)).toContain('Scan the label that goes to the recipient')
    expect(sentence(outbound, 'abc')).toContain('neither a tracking number nor a box')
    expect(sentence(scanned(outbound, OUT), OUT)).toContain('Scan the return label')
  })

  it('a kit whose box was refused is packed in another box, or begun again', () => {
    const refused: Packing = { kitID: kit, step: 'outbound', needsBox: true }
    expect(sentence(refused, OUT)).toContain('Scan another box')
    const packing = scanned(scanned(refused, BOX, { serial: 'A0001' }), OUT)
    expect(outcome(packing, RETURN)).toMatchObject({ outcome: 'done', shipment: { box: BOX } })
    expect(back(refused)).toEqual(begin(kit))
  })

  it('a box is refused as soon as it is scanned, and no label is taken before another one', () => {
    const refused = outcome(atLabel, BOX, { serial: 'A0001', problem: 'Box A0001 has expired.' })
    expect(refused).toMatchObject({ outcome: 'wrong', sentence: 'Box A0001 has expired.' })
    const packing = 'packing' in refused ? refused.packing : undefined
    expect(packing && sentence(packing, OUT)).toContain('Scan another box')
  })

  it('a box is packed by its serial number alone, which is not its label', () => {
    const packing = scanned(atLabel, 'a0001', { serial: 'A0001' })
    expect(packing).toMatchObject({ step: 'outbound', box: 'a0001', serial: 'A0001' })
    expect(sentence(packing, 'A0001', { serial: 'A0001' })).toContain('the box again')
    expect(sentence(atLabel, 'A0001', 'several')).toContain('Scan the square code')
    expect(scanned(atLabel, 'SERIAL-00001', { serial: 'SERIAL-00001' }).step).toBe('outbound')
  })

  it.each([
    ['cut before its serial number', '01095060001343521728013110L7'],
    ['cut and misread', '0109506000134353172801'],
    ['cut within its GTIN', '010950600013'],
    ['without its beginning', '5060001343521728013110L721A0001'.replace('506', '9506')],
    ['as shops scan it', '9506000134352'],
    ['as cartons have it', '09506000134352'],
  ])('a code of a product, %s, is never the number of a label', (_, code) => {
    expect(isOfProduct(code, ['09506000134352'])).toBe(true)
    expect(sentence(atLabel, code, 'product')).toContain('Scan its square code')
    expect(sentence(scanned(atLabel, OUT), code, 'product')).toContain('not a tracking number')
  })

  it('a tracking number is not taken for the code of a product', () => {
    for (const number of [OUT, RETURN, '123456789012', '0109506000134', '1234567890', 'JD0123456789012345'])
      expect(isOfProduct(number, ['00012345600012', '00000096385074']), number).toBe(false)
  })

  it('a number that may be of a box and of a label is neither until the packer says which', () => {
    const doubt = outcome(atLabel, OUT, { serial: OUT })
    expect(doubt).toMatchObject({ outcome: 'wrong', packing: { ...atLabel, doubtful: OUT } })
    expect(sentence(atLabel, OUT, 'several')).toContain('press F6')
    expect(takeLabel(atLabel, OUT, 'UPS')).toMatchObject({
      outcome: 'right',
      packing: { step: 'return', outbound: OUT },
    })
    const atReturn = scanned(atLabel, OUT)
    expect(sentence(atReturn, 'SERIAL-00001', { serial: 'SERIAL-00001' })).toContain('press F6')
    expect(sentence(atReturn, 'A1', { serial: 'A1' })).toContain('A1 is a box')
    expect(sentence(atReturn, BOX)).toContain('not a tracking number')
    const needsBox: Packing = { kitID: kit, step: 'outbound', needsBox: true }
    expect(scanned(needsBox, OUT, { serial: OUT })).toMatchObject({ box: OUT })
  })

  it('another kit that is scanned is taken instead of the one shown', () => {
    expect(scan(begin(kit), ` ${other.toLowerCase()}`)).toEqual({ outcome: 'other', kitID: other })
  })

  it('a scan can be taken back', () => {
    const outbound = scanned(begin(kit), kit)
    expect(back(scanned(outbound, OUT))).toEqual(outbound)
    expect(back(outbound)).toEqual(begin(kit))
  })

  it('carriers are recognised by their numbers, and a number of none is left to the packer', () => {
    expect(codeOf(`42090210${RETURN}`)).toBe(RETURN)
    expect([OUT, RETURN, '123456789012', 'JD0123456789012345', 'ABC-12345678'].map(carrierOf)).toEqual([
      'UPS',
      'USPS',
      'FedEx',
      'DHL',
      undefined,
    ])
  })
})
