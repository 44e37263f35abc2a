import { dateText } from '@kitlane/display/report-text'
import { translatorOf } from '../../../domain/translations/translator.ts'
import { drawInThread } from '../../../platform/pdf/draw-in-thread.ts'
import { ink, page } from '../../../platform/pdf/paper.ts'
import { Sheet } from '../../../platform/pdf/sheet.ts'
import { moneyText } from './rules.ts'
import type { ReceiptDocument } from './schema.ts'

export interface Printable {
  receipt: ReceiptDocument
  isTest: boolean
}

const titles = { receipt: 'Receipt', invoice: 'Invoice', credit_note: 'Credit note' } as const
const columns = { name: 40, quantity: 300, unit: 370, total: 465 } as const
const NUMBER_WIDTH = 90
// Of a charge for several orders, at most 19: more are a bulk job, which is not listed.
const ID_WIDTH = 395

/** A4, its fonts inside, its structure tagged for screen readers. The same receipt gives the same pages. */
export function draw({ receipt, isTest }: Printable): Promise<Buffer> {
  const title = titles[receipt.kind]
  const about = { title: `${title} ${receipt.number}`, author: receipt.seller.name, at: new Date(receipt.date) }
  const sheet = new Sheet(about, translatorOf('en'))
  drawHead(sheet, receipt, title)
  if (isTest) drawTest(sheet)
  drawFacts(sheet, receipt)
  drawLines(sheet, receipt)
  return sheet.finish((number, count) => {
    sheet.doc.rect(page.left, 792, page.width, 0.5).fill(ink.line)
    const style = { width: 250, size: 7, color: ink.soft } as const
    sheet.write(`${title} ${receipt.number}`, page.left, 799, style)
    sheet.write(`Page ${number} of ${count}`, page.right - 250, 799, { ...style, align: 'right' })
  })
}

type Party = ReceiptDocument['seller']

const linesOf = ({ name, address, taxNumber }: Party): string[] => [
  name,
  ...address,
  ...(taxNumber ? [`Tax number ${taxNumber}`] : []),
]

function drawHead(sheet: Sheet, { seller, buyer, number, date }: ReceiptDocument, title: string): void {
  sheet.y = page.top
  sheet.block('H1', 0, (y) => {
    sheet.write(title, 300, y, { width: 255, size: 20, font: 'bold', align: 'right' })
    sheet.write(number, 300, y + 27, { width: 255, size: 11, align: 'right' })
    sheet.write(dateText(date) ?? '', 300, y + 43, { width: 255, size: 9, color: ink.soft, align: 'right' })
  })
  drawParty(sheet, linesOf(seller), 13)
  sheet.y = Math.max(sheet.y + 26, 150)
  sheet.block('P', 15, (y) => sheet.write('For', page.left, y, { width: 200, size: 8, color: ink.soft }))
  drawParty(sheet, linesOf(buyer), 10)
  sheet.y += 22
}

function drawParty(sheet: Sheet, [name = '', ...rest]: readonly string[], size: number): void {
  const width = 250
  sheet.block('P', sheet.measure(name, width, size, 'bold') + 3, (y) =>
    sheet.write(name, page.left, y, { width, size, font: 'bold' }),
  )
  for (const line of rest) {
    sheet.block('P', sheet.measure(line, width, 9) + 1.5, (y) => sheet.write(line, page.left, y, { width, size: 9 }))
  }
}

function drawTest(sheet: Sheet): void {
  const text = 'Sandbox: a test. No money moved.'
  sheet.artifact(() => sheet.doc.roundedRect(page.left, sheet.y, page.width, 20, 3).fill(ink.warningBack))
  sheet.block('P', 32, (y) =>
    sheet.write(text, page.left + 10, y + 5, { width: page.width - 20, size: 9, color: ink.warning }),
  )
}

function drawFacts(sheet: Sheet, { paymentID, card, orderIDs, of }: ReceiptDocument): void {
  const facts: [string, string][] = [
    ...(of ? [['Takes back from', of] as [string, string]] : []),
    ['Payment', paymentID],
    ...(card
      ? [
          ['Card', `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)}, ending in ${card.last4}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...(orderIDs.length > 0
      ? [[orderIDs.length === 1 ? 'Order' : 'Orders', orderIDs.join(', ')] as [string, string]]
      : []),
  ]
  for (const [name, value] of facts) {
    sheet.block('P', sheet.measure(value, ID_WIDTH, 9) + 4, (y) => {
      sheet.write(name, page.left, y + 0.5, { width: 110, size: 8, color: ink.soft })
      sheet.write(value, page.left + 115, y, { width: ID_WIDTH, size: 9 })
    })
  }
  sheet.y += 18
}

function drawLines(sheet: Sheet, receipt: ReceiptDocument): void {
  const { currency, lines, amount, kind } = receipt
  const money = (minor: number) => moneyText(minor, currency)
  const head = { width: NUMBER_WIDTH, size: 8, color: ink.soft, align: 'right' } as const
  sheet.block('P', 16, (y) => {
    const what = kind === 'invoice' ? 'Credits for' : 'Panel'
    sheet.write(what, columns.name, y, { width: 250, size: 8, color: ink.soft })
    sheet.write('Quantity', columns.quantity - 30, y, head)
    sheet.write('Price', columns.unit, y, head)
    sheet.write('Total', columns.total, y, head)
  })
  rule(sheet, 1)
  for (const { panel, quantity, unitPrice, total } of lines) {
    const height = Math.max(sheet.measure(panel, 250, 10), 14) + 10
    sheet.block('P', height, (y) => {
      const style = { width: NUMBER_WIDTH, size: 10, align: 'right' } as const
      sheet.write(panel, columns.name, y + 5, { width: 250, size: 10 })
      sheet.write(quantity.toLocaleString('en'), columns.quantity - 30, y + 5, style)
      sheet.write(money(unitPrice), columns.unit, y + 5, style)
      sheet.write(money(total), columns.total, y + 5, style)
    })
    rule(sheet, 0.5)
  }
  sheet.block('P', 40, (y) => {
    const words = kind === 'credit_note' ? 'Given back to the card' : 'Paid by card'
    sheet.write(words, columns.name, y + 10, { width: 320, size: 12, font: 'bold' })
    sheet.write(money(amount), columns.unit, y + 10, { width: 185, size: 12, font: 'bold', align: 'right' })
  })
}

function rule(sheet: Sheet, height: number): void {
  sheet.artifact(() => sheet.doc.rect(page.left, sheet.y, page.width, height).fill(ink.line))
}

export const receiptPdf = (printable: Printable): Promise<Buffer> =>
  drawInThread(new URL('./pdf.ts', import.meta.url), printable)
