import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { translatorOf } from '../../src/domain/translations/translator.ts'
import { draw } from '../../src/modules/lab-orders/requisition.ts'
import { Sheet } from '../../src/platform/pdf/sheet.ts'
import { readPdf } from '../harness/reports.ts'

const content = (firstName: string, lastName: string) => ({
  placerNumber: 'K88J907CNB',
  kitId: 'K88J907CNB',
  kitType: 'CORE',
  orderId: 'O1',
  person: {
    firstName,
    lastName,
    dateOfBirth: '1980-02-03',
    sex: 'F' as const,
    addressLine1: '中山路 12 號',
    city: 'Zürich',
  },
  test: { code: 'C1', name: 'Core', specimen: 'blood' },
  answers: [],
})

type Content = Parameters<typeof draw>[0]['content']

const printed = (firstName: string, lastName: string) =>
  draw({
    content: content(firstName, lastName) as unknown as Content,
    laboratory: 'North',
    at: new Date('2026-11-29T10:00:00Z'),
  })

/** What the outlines of a document say, for whoever copies them or hears them read. */
function saidIn(pdf: Buffer): string {
  const pages = [...pdf.toString('latin1').matchAll(/stream\n(.*?)\nendstream/gs)].map(([, text = '']) => {
    try {
      return inflateSync(Buffer.from(text, 'latin1')).toString('latin1')
    } catch {
      return ''
    }
  })
  const texts = [...pages.join('').matchAll(/\/ActualText \((.*?)\)\s*>> BDC/gs)]
  return texts
    .map(([, text = '']) =>
      Buffer.from(
        text.replace(
          /\\(\d{3}|.)/gs,
          (_, code: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[code] ?? code,
        ),
        'latin1',
      )
        .swap16()
        .toString('utf16le'),
    )
    .join('')
    .replaceAll('\uFEFF', '')
}

describe('names in print', () => {
  it.each([
    ['Chinese', '小明', '王'],
    ['traditional Chinese', '志龍', '歐陽'],
    ['Japanese', 'さくら', '山田'],
    ['Korean', '민준', '김'],
    ['Thai', 'สมชาย', 'ใจดี'],
    ['Hindi', 'अमित', 'शर्मा'],
    ['Bengali', 'রহিম', 'চৌধুরী'],
    ['Tamil', 'தமிழ்', 'செல்வன்'],
  ])('%s ones are drawn, and can be copied', async (_, first, last) => {
    const pdf = await printed(first, last)
    expect(saidIn(pdf)).toContain(first)
    expect(saidIn(pdf)).toContain(last)
    const { text } = await readPdf(pdf)
    expect(text).not.toContain('□')
    expect(text).not.toContain('cannot show every letter')
  })

  it('of letters that no font has are boxes, and the requisition says what to compare instead', async () => {
    const { text } = await readPdf(await printed('ልዑል', 'Bekele'))
    expect(text).toContain('□□□ Bekele')
    expect(text).toContain('cannot show every letter')
    expect(text).toContain('1980-02-03')
  })

  it('take as many lines as they need, each within its width', () => {
    const sheet = new Sheet({ title: 'T', author: 'A', at: new Date(0) }, translatorOf('en'))
    const one = sheet.measure('王小明', 100, 10)
    expect(sheet.measure('王小明 '.repeat(20), 100, 10)).toBeGreaterThan(5 * one)
    expect(sheet.measure('王小明', 100, 10, 'bold')).toBeCloseTo(one, 0)
  })
})
