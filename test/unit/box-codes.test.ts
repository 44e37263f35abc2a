import { describe, expect, it } from 'vitest'
import { readCode } from '../../src/modules/stock/code.ts'

const TODAY = '2026-11-28'
const GTIN = '09506000134352'
const read = (text: string) => readCode(text, TODAY)
const whole = { gtin: GTIN, serial: 'A-1/x', lot: 'L 7'.replace(' ', ''), expiresOn: '2027-02-28' }

describe('the code of a box', () => {
  it.each([
    ['as a reader sends a DataMatrix', `]d201${GTIN}1727022810L7\x1d21A-1/x`],
    ['with FNC1 first', `\x1d01${GTIN}1727022810L7\x1d21A-1/x`],
    ['as GS1-128', `]C101${GTIN}1727022810L7\x1d21A-1/x`],
    ['as a GS1 QR code', `]Q301${GTIN}21A-1/x\x1d10L7\x1d17270228`],
    ['without an identifier', `01${GTIN}1727022810L7\x1d21A-1/x`],
    ['in brackets', `(01)${GTIN}(17)270228(10)L7(21)A-1/x`],
    ['as it is printed, with spaces', `(01) ${GTIN} (17) 270228 (10) L7 (21) A-1/x`],
    ['as a Digital Link', `https://id.example.com/01/${GTIN}/10/L7/21/A-1%2Fx?17=270228&campaign=x`],
    [
      'as a Digital Link below a path, with 13 digits',
      `http://x.example/a/01/9506000134352/10/L7/21/A-1%2Fx/?17=270228`,
    ],
    ['with the last day of the month as day 00', `(01)${GTIN}(17)270200(10)L7(21)A-1/x`],
  ])('is read %s', (_, text) => {
    expect(read(text)).toEqual({ code: whole })
  })

  it('is a bare serial number where it is nothing else', () => {
    expect(read(' 12345678 ')).toEqual({ code: { serial: '12345678' } })
  })

  it('says the year of the nearest century', () => {
    const yearOf = (yy: string) => {
      const found = read(`(17)${yy}0101(21)1`)
      return 'code' in found ? found.code.expiresOn?.slice(0, 4) : undefined
    }
    expect(['76', '77', '26', '00'].map(yearOf)).toEqual(['2076', '1977', '2026', '2000'])
  })

  it.each([
    ['a wrong check digit', '(01)09506000134359(21)1', /check digit/],
    ['a wrong check digit in a link', 'https://x.example/01/09506000134359/21/1', /check digit/],
    ['30 February', `(01)${GTIN}(17)270230(21)1`, /does not exist/],
    ['month 13', `(01)${GTIN}(17)271301(21)1`, /does not exist/],
    ['no serial number', `(01)${GTIN}(10)L7`, /no serial number/],
    ['no serial number in a link', `https://x.example/01/${GTIN}`, /no serial number/],
    ['two serial numbers', `(01)${GTIN}(21)1(21)2`, /twice/],
    ['two GTINs in a link', `https://x.example/01/${GTIN}/21/1?01=${GTIN}`, /twice/],
    ['an unknown element', `01${GTIN}99X\x1d211`, /not known/],
    ['an element cut short', `01${GTIN}1727`, /no code of a box/],
    ['an empty element', `(01)${GTIN}(21)`, /no code of a box/],
    ['a serial number that is too long', 'A'.repeat(21), /no code of a box/],
    ['nothing', '   ', /no code of a box/],
    ['another address', 'https://x.example/k/K7Q4M2XT9C', /no code of a box/],
    ['a broken escape', `https://x.example/01/${GTIN}/21/%E0%A4%A`, /no code of a box/],
    ['letters of other alphabets', 'Ж123', /no code of a box/],
    ['NUL', 'A\0B', /no code of a box/],
  ])('with %s is refused, with what to do', (_, text, words) => {
    const found = read(text)
    expect('problem' in found && String(found.problem)).toMatch(words)
  })

  it('of any bytes is read or refused, in little time', () => {
    const pieces = [
      '(01)',
      '01',
      '(',
      ')',
      GTIN,
      '\x1d',
      ']d2',
      '21',
      '(21)',
      'https://',
      '/01/',
      '%',
      '\uD800',
      '\0',
      '17',
      '000000',
    ]
    const started = performance.now()
    for (let round = 0; round < 5000; round++) {
      const text = Array.from(
        { length: 40 },
        (_, at) => pieces[(round * 31 + at * at * 7 + (round >> 3) * at) % 16],
      ).join('')
      const found = read(text)
      if ('code' in found) expect(found.code.serial.length).toBeLessThanOrEqual(20)
    }
    read('(01)'.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
