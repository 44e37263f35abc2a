import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { translatorOf } from '../../src/domain/translations/translator.ts'
import { requisitionPdf } from '../../src/modules/lab-orders/requisition.ts'
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

type Content = Parameters<typeof requisitionPdf>[0]['content']

const printed = (firstName: string, lastName: string): Promise<Buffer> =>
  requisitionPdf({
    content: content(firstName, lastName) as unknown as Content,
    laboratory: 'North',
    at: new Date('2026-11-29T10:00:00Z'),
  })

/** Vowel signs of India stand before or after their letter on paper, and pdf.js gives them as they stand. */
const inOrder = (text: string) =>
  text
    .normalize('NFD')
    .split(' ')
    .map((word) => [...word].sort().join(''))
    .join(' ')

describe('names in print', () => {
  // The first of this file, while no font of these is read yet.
  it('are there in each document, also where others are drawn meanwhile', async () => {
    const names = ['蔡', '嚴', '龔', '顧', '薛', '鄧', '羅', '戴', '鐘', '譚']
    const papers = await Promise.all(names.map((name, index) => delay(index * 7).then(() => printed('Li', name))))
    const texts = await Promise.all(papers.map(async (pdf) => (await readPdf(pdf)).text))
    expect(texts.filter((text, index) => text.includes('□') || !text.includes(names[index] ?? '?'))).toEqual([])
  })

  it.each([
    ['Chinese', '小明', '王'],
    ['traditional Chinese', '志龍', '歐陽'],
    ['Japanese', 'さくら', '山田'],
    ['Korean', '민준', '김'],
    ['Thai', 'สมชาย', 'ใจดี'],
    ['Hindi', 'अमित', 'शर्मा'],
    ['Bengali', 'রহিম', 'চৌধুরী'],
    ['Tamil', 'தமிழ்', 'செல்வன்'],
    ['Arabic', 'محمد', 'حسن'],
    ['Hebrew', 'דוד', 'כהן'],
  ])('%s ones are drawn, and can be copied', async (_, first, last) => {
    const { text } = await readPdf(await printed(first, last))
    expect(inOrder(text)).toContain(inOrder(`${first} ${last}`))
    expect(text).not.toContain('□')
    expect(text).not.toContain('cannot show every letter')
  })

  it('of letters that no font has are boxes, and the requisition says what to compare instead', async () => {
    const { text } = await readPdf(await printed('ልዑል', 'Bekele'))
    expect(text).toContain('□□□ Bekele')
    expect(text).toContain('cannot show every letter')
    expect(text).toContain('1980-02-03')
  })

  it('that are read from right to left begin there, and the number of a house stays a number', async () => {
    const { text } = await readPdf(await printed('محمد سامي', 'حسن 12'))
    expect(text).toMatch(/محمد سامي حسن ?12|12 ?محمد سامي حسن/)
  })

  it('take as many lines as they need, each within its width', () => {
    const sheet = new Sheet({ title: 'T', author: 'A', at: new Date(0) }, translatorOf('en'))
    const one = sheet.measure('王小明', 100, 10)
    expect(sheet.measure('王小明 '.repeat(20), 100, 10)).toBeGreaterThan(5 * one)
    expect(sheet.measure('王小明', 100, 10, 'bold')).toBeCloseTo(one, 0)
  })
})
