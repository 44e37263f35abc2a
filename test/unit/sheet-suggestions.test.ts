import { biomarkers as catalogue } from '@kitlane/lab-reader/facts/biomarkers'
import { readSheet } from '@kitlane/lab-reader/parse/ocr/sheet'
import { describe, expect, test } from 'vitest'
import { candidatesOf } from '../../src/modules/lab/review/rules.ts'
import { expected, labSheet } from '../samples/make-scan.ts'

describe('a suggestion', () => {
  test.each(expected.filter(({ value }) => !Number.isInteger(value)))(
    'of $biomarker that lost its decimal point is not without a problem',
    ({ biomarker, value }) => {
      const sheet = labSheet()
      const cells = sheet.lines.map((line) => line.map(([x, text]) => ({ text, x0: x, x1: x + text.length * 5 })))
      const lines = cells.map((line, index) => ({
        page: 1,
        number: index + 1,
        y: 700 - index * 12,
        height: 8,
        cells: line.map((cell) => (Number(cell.text) === value ? { ...cell, text: cell.text.replace('.', '') } : cell)),
        text: line.map(({ text }) => text).join('  '),
      }))
      const rows = readSheet(lines).rows.map(({ row }) => ({ ...row, confidence: 97 }))
      const mine = candidatesOf(rows, catalogue).find((one) => one.biomarker === biomarker)
      expect(mine?.problem).toBeDefined()
    },
  )
})
