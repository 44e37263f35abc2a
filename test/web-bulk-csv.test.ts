import { expect, it } from 'vitest'
import { paletteOf } from '../web/src/app/palette.ts'
import { readCsv } from '../web/src/business/bulk/csv.ts'

it('reads a spreadsheet export whatever its delimiter, with quotes, line breaks inside cells and a byte order mark', () => {
  const rows = [
    ['Ada', 'Flat 2; "rear"\nTower'],
    ['Grace', '1, Main Street'],
  ]
  for (const delimiter of [',', ';', '\t', '|']) {
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
    const text = [['first name', 'street'], ...rows].map((row) => row.map(quoted).join(delimiter)).join('\r\n')
    expect(readCsv(`\uFEFF${text}\r\n\r\n`)).toEqual({ header: ['first name', 'street'], rows })
  }
})

it('keeps an unquoted cell as it is, quotes inside it too', () => {
  expect(readCsv('name,note\nAda,6" shelf\n').rows).toEqual([['Ada', '6" shelf']])
})

it('darkens every accent until white text can be read on it', () => {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  for (const color of ['#ffee00', '#00ffcc', '#ffffff', '#ff8800', '#000000', 'no colour', undefined]) {
    expect(1.05 / (luminance(paletteOf(color)[6] ?? '') + 0.05), color).toBeGreaterThanOrEqual(4.5)
  }
})
