import { createRequire } from 'node:module'
import type JsBarcode from 'jsbarcode'
import { translatorOf } from '../../domain/translations/translator.ts'
import { drawInThread } from '../../platform/pdf/draw-in-thread.ts'
import { ink, page } from '../../platform/pdf/paper.ts'
import { Sheet } from '../../platform/pdf/sheet.ts'
import type { OrderContent } from './content.ts'

export interface Requisition {
  content: OrderContent
  laboratory: string
  at: Date
}

const NOT_SHOWN = 'This paper cannot show every letter above: write the name and address by hand where there are boxes.'
const MODULE = 1.1
const HEIGHT = 44

/** The bars of a Code 128 as zeros and ones, each as wide as a module. ISO/IEC 15417. */
function barsOf(text: string): string {
  const draw: typeof JsBarcode = createRequire(import.meta.url)('jsbarcode')
  const drawn: { encodings?: { data: string }[] } = {}
  draw(drawn, text, { format: 'CODE128' })
  return drawn.encodings?.map(({ data }) => data).join('') ?? ''
}

function drawCode(sheet: Sheet, text: string): void {
  sheet.figure(`Barcode ${text}`, () => {
    for (const { 0: bar, index } of barsOf(text).matchAll(/1+/g)) {
      sheet.doc.rect(page.left + index * MODULE, sheet.y, bar.length * MODULE, HEIGHT).fill('#000000')
    }
  })
  sheet.y += HEIGHT + 4
  sheet.block('P', 24, (y) => sheet.write(text, page.left, y, { width: 300, size: 11, font: 'bold' }))
}

/** A4, its fonts inside, its structure tagged for screen readers. */
export function draw({ content, laboratory, at }: Requisition): Promise<Buffer> {
  const { placerNumber, kitId, person, test, collected, received, answers, approval } = content
  const title = `Requisition ${placerNumber}`
  const sheet = new Sheet({ title, author: 'Kitlane', at: new Date(at) }, translatorOf('en'))
  sheet.block('H1', 40, (y) =>
    sheet.write('Laboratory requisition', page.left, y, { width: page.width, size: 20, font: 'bold' }),
  )
  drawCode(sheet, placerNumber)
  const { addressLine1, addressLine2, city, state, zip, country } = person
  const place = [addressLine1, addressLine2, [city, state, zip].filter(Boolean).join(' '), country].filter(Boolean)
  drawFacts(sheet, 'Laboratory', [['Name', laboratory]])
  drawFacts(sheet, 'Person tested', [
    ['Name', `${person.firstName} ${person.lastName}`],
    ['Date of birth', person.dateOfBirth],
    ['Sex', person.sex ?? 'not given'],
    ['Address', place.join(', ')],
    ['Phone', person.phone ?? ''],
    ['Note', sheet.canShow(`${person.firstName} ${person.lastName} ${place.join(' ')}`) ? '' : NOT_SHOWN],
  ])
  if (approval)
    drawFacts(sheet, 'Approved by', [
      ['Provider', approval.provider],
      ['NPI', approval.npi],
      ['Day', approval.date.slice(0, 10)],
    ])
  drawFacts(sheet, 'Test', [
    ['Code', `${test.code}  ${test.name}`],
    ['Specimen', `${kitId} (${test.specimen})`],
    ['Collected', collected?.replace('T', ' ').replace(/[+-]\d{2}:\d{2}$/, ' (UTC$&)') ?? 'not known'],
    ['Received', received ?? ''],
  ])
  if (answers.length > 0)
    drawFacts(
      sheet,
      'Questions at order entry',
      answers.map(({ text, value }) => [text, value]),
    )
  return sheet.finish((number, count) =>
    sheet.write(`${title}   Page ${number} of ${count}`, page.left, 799, {
      width: page.width,
      size: 7,
      color: ink.soft,
    }),
  )
}

function drawFacts(sheet: Sheet, heading: string, facts: readonly (readonly [string, string])[]): void {
  sheet.y += 8
  sheet.block('H2', 18, (y) => sheet.write(heading, page.left, y, { width: page.width, size: 11, font: 'bold' }))
  for (const [name, value] of facts.filter((fact) => fact[1] !== '')) {
    const height = Math.max(sheet.measure(value, 360, 10), sheet.measure(name, 140, 10)) + 5
    sheet.block('P', height, (y) => {
      sheet.write(name, page.left, y, { width: 140, size: 10, color: ink.soft })
      sheet.write(value, page.left + 150, y, { width: 360, size: 10 })
    })
  }
}

export const requisitionPdf = (requisition: Requisition): Promise<Buffer> =>
  drawInThread(new URL('./requisition.ts', import.meta.url), requisition)
