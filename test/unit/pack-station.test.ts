import { describe, expect, it } from 'vitest'
import { newKitIds } from '../../src/domain/ids.ts'
import { carrierOf, codeOf } from '../../web/src/components/station/codes.ts'
import { back, begin, type Packing, scan } from '../../web/src/features/fulfilment/packing-steps.ts'

const [kit = '', other = ''] = newKitIds(2)
const OUT = '1Z999AA10123456784'
const RETURN = '9400100000000000000000'

function scanned(packing: Packing, code: string): Packing {
  const result = scan(packing, code, 'UPS')
  if (result.outcome !== 'right') throw new Error(JSON.stringify(result))
  return result.packing
}
const sentence = (packing: Packing, code: string) => {
  const result = scan(packing, code, 'UPS')
  return result.outcome === 'wrong' ? result.sentence : result.outcome
}

describe('at the pack station', () => {
  it('three scans make a shipment, and the numbers say who carries it', () => {
    const packing = scanned(scanned(begin(kit), kit), OUT)
    expect(scan(packing, RETURN, 'DHL')).toEqual({
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
    expect(sentence(begin(kit), OUT)).toBe(`That is not a kit. Scan ${kit}.`)
    const outbound = scanned(begin(kit), kit)
    expect(sentence(outbound, kit)).toContain("kit's own code")
    expect(sentence(outbound, other)).toContain('Scan the label that goes to the recipient')
    expect(sentence(outbound, 'abc')).toContain('not a tracking number')
    expect(sentence(scanned(outbound, OUT), OUT)).toContain('Scan the return label')
  })

  it('a kit whose box was refused is packed in another box, or begun again', () => {
    const refused: Packing = { kitID: kit, step: 'outbound', needsBox: true }
    expect(sentence(refused, OUT)).toContain('Scan another box')
    const box = '(01)09506000134352(17)280131(10)L7(21)A0001'
    const packing = scanned(scanned(refused, box), OUT)
    expect(scan(packing, RETURN, 'DHL')).toMatchObject({ outcome: 'done', shipment: { box } })
    expect(back(refused)).toEqual(begin(kit))
  })

  it('another kit that is scanned is taken instead of the one shown', () => {
    expect(scan(begin(kit), ` ${other.toLowerCase()}`, 'UPS')).toEqual({ outcome: 'other', kitID: other })
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
