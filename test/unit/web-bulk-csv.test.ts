import { getContrast } from 'color2k'
import { expect, it } from 'vitest'
import { paletteOf } from '../../web/src/app/brand-palette.ts'
import { decodeText } from '../../web/src/components/decode-text.ts'
import { CsvProblem, readCsv } from '../../web/src/features/orders/bulk/csv.ts'
import { csvOfRows } from '../../web/src/features/orders/bulk/failed-rows-csv.ts'
import { guessMapping } from '../../web/src/features/orders/bulk/fields.ts'
import { duplicatesOf, problemsOf } from '../../web/src/features/orders/bulk/row-problems.ts'
import { type Row, requestRows, rowsOf } from '../../web/src/features/orders/bulk/rows.ts'
import { readSource } from '../../web/src/features/orders/bulk/source.ts'
import { suggestionsFor, withSuggestions } from '../../web/src/features/orders/bulk/suggestions.ts'
import { emptyDraft } from '../../web/src/features/orders/draft.ts'
import { recipientCorrections, recipientProblems } from '../../web/src/features/orders/recipient-problems.ts'

const panels = [
  { kitType: 'ED1NL4E3L', name: 'Core Health' },
  { kitType: 'ED14KY98G', name: 'GLP & Cardio' },
  { kitType: 'ED2KXO3EE', name: "Women's Health" },
]

const right: Row = {
  first_name: 'Ada',
  last_name: 'Example',
  email: 'ada@example.test',
  phone: '',
  external_id: '',
  street1: '1 Main Street',
  street2: '',
  city: 'Burlington',
  state: 'VT',
  zip: '05401',
  country: '',
  kit_type: 'ED1NL4E3L',
  quantity: '',
  line: 2,
}
const problemsIn = (change: Partial<Row>) => problemsOf({ ...right, ...change }, panels)
const cellsOf = (text: string) => readCsv(text).rows.map(({ cells }) => cells)

it('reads a spreadsheet export whatever its delimiter, with quotes, line breaks inside cells and a byte order mark', () => {
  const rows = [
    ['Ada', 'Flat 2; "rear"\nTower'],
    ['Grace', '1, Main Street'],
  ]
  for (const delimiter of [',', ';', '\t', '|']) {
    const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
    const text = [['first name', 'street'], ...rows].map((row) => row.map(quoted).join(delimiter)).join('\r\n')
    const sheet = readCsv(`\uFEFF${text}\r\n\r\n`)
    expect(sheet.header).toEqual(['first name', 'street'])
    expect(sheet.rows.map(({ cells }) => cells)).toEqual(rows)
  }
})

it('keeps an unquoted cell as it is, quotes inside it too', () => {
  expect(cellsOf('name,note\nAda,6" shelf\n')).toEqual([['Ada', '6" shelf']])
})

it('finds the names of the columns in German, French and Spanish, below a title and once in joined files', () => {
  const found = (text: string) => {
    const { sheet } = readSource(text)
    return rowsOf(sheet, guessMapping(sheet.header), panels, 'ED1NL4E3L')
  }
  const ada = 'Ada;Müller;ada@example.test;Hauptstraße 1;Köln;01067'
  for (const names of [
    'Vorname;Nachname;E-Mail;Straße;Ort;PLZ',
    'Prénom;Nom;Courriel;Adresse;Ville;Code postal',
    'Nombre;Apellidos;Correo electrónico;Dirección;Ciudad;Código postal',
    'First name *;LAST NAME:;Email (required);Street address;Town;ZIP/Postal code',
  ])
    for (const above of ['', 'sep=;\r\n', '\uFEFFTable 1\n', 'Kits for the winter;;;;;\n\n'])
      expect(found(`${above}${names}\r\n${ada}\r\n${names.toUpperCase()}\r\n${ada}\r\n`), names + above).toMatchObject(
        Array(2).fill({ first_name: 'Ada', last_name: 'Müller', street1: 'Hauptstraße 1', city: 'Köln', zip: '01067' }),
      )
})

it('reads of a cell what is seen, and finds what a spreadsheet shows in place of a value', () => {
  const cell = (text: string) =>
    rowsOf({ header: ['x'], rows: [{ cells: [text], line: 2 }] }, { external_id: 0 }, panels, '')[0]?.external_id
  for (const text of ['\u200B00123 ', '="00123"', "'00123", '\uFEFF00123\u00A0']) expect(cell(text), text).toBe('00123')
  for (const city of ['#REF!', '#NAME?', '#N/A', '#BEZUG!', '#ÜBERLAUF!', '#¡VALOR!', '########', 'Err:502', '=B2'])
    expect(problemsIn({ city }), city).toMatchObject([
      { field: 'city', message: expect.stringContaining('error or a formula') },
    ])
  for (const external_id of ['1.23457E+11', '1,23457E+11'])
    expect(problemsIn({ external_id })).toMatchObject([
      { field: 'external_id', message: expect.stringContaining('cut this number short') },
    ])
  expect(problemsIn({ street2: '#5', external_id: '12E4' })).toEqual([])
})

it('refuses a file with a quotation mark that is never closed, and names the line', () => {
  const text = 'name,city\nAda,Burlington\n"Grace,Barre\nJosé,Stowe\n'
  expect(() => readCsv(text)).toThrow(CsvProblem)
  expect(() => readCsv(text)).toThrow(/opens in line 3 is never closed/)
  expect(() => readCsv('"name,city\nAda,Burlington\n')).toThrow(/opens in line 1/)
})

it('asks for a look at a row with more or fewer cells than the header, and at a cell with a line break', () => {
  const { rows } = readCsv('name,city\nAda,Burlington, VT\nGrace\n"José\nMaría,Stowe",x\nJoan,Barre,\n')
  expect(rows.map(({ line, fault }) => [line, fault !== undefined])).toEqual([
    [2, true],
    [3, true],
    [5, true],
    [6, false],
  ])
  expect(problemsIn({ fault: '3 cells' })).toEqual([{ message: '3 cells' }])
})

it('tells the encoding of a file, and says when it is not certain', () => {
  const name = 'José,Muñoz'
  const latin = Uint8Array.from(name, (letter) => letter.charCodeAt(0))
  const wide = Buffer.from(name, 'utf16le')
  expect(decodeText(Buffer.from(name))).toEqual({ text: name, encoding: 'utf-8', isCertain: true })
  expect(decodeText(latin)).toEqual({ text: name, encoding: 'windows-1252', isCertain: false })
  expect(decodeText(wide)).toEqual({ text: name, encoding: 'utf-16le', isCertain: true })
  expect(decodeText(Buffer.from(wide).swap16()).text).toBe(name)
  expect(decodeText(Buffer.concat([Buffer.from([0xff, 0xfe]), wide])).text).toBe(name)
  expect(decodeText(Uint8Array.from([0x4a, 0x8e]), 'macintosh').text).toBe('Jé')
})

it('finds a panel by its identifier or its name, however it is written, and lists the panels for another', () => {
  const named = (panel: string) =>
    rowsOf({ header: ['p'], rows: [{ cells: [panel], line: 2 }] }, { kit_type: 0 }, panels, '')[0]?.kit_type
  for (const name of ['ED14KY98G', 'ed14ky98g', 'GLP & Cardio', 'glp and cardio', ' GLP  &  CARDIO ']) {
    expect(named(name), name).toBe('ED14KY98G')
  }
  expect(named('Women’s Health')).toBe('ED2KXO3EE')
  expect(problemsIn({ kit_type: 'Gut' })[0]?.message).toContain("Core Health, GLP & Cardio, Women's Health")
})

it('finds what would lose a parcel: a lost letter, a ZIP, a phone number or a state that cannot be', () => {
  expect(problemsIn({})).toEqual([])
  expect(problemsIn({ phone: '+1 (802) 555-0123', zip: '05401-1234', quantity: '2' })).toEqual([])
  expect(problemsIn({ country: 'CA', state: 'QC', zip: 'H2X 1Y4' })).toEqual([])
  expect(problemsIn({ country: 'DE', state: 'Bayern', zip: '80331' })).toEqual([])
  expect(problemsIn({ country: 'IE', state: '', zip: '' })).toEqual([])
  const faulty: [keyof Row, Partial<Row>][] = [
    ['first_name', { first_name: 'Jos\uFFFD' }],
    ['zip', { zip: '5401' }],
    ['zip', { zip: '054O1' }],
    ['zip', { zip: '00000' }],
    ['zip', { country: 'PR', state: '', zip: '901' }],
    ['zip', { country: 'DE', state: '', zip: '1067' }],
    ['state', { state: '' }],
    ['country', { country: 'Georgia' }],
    ['zip', { country: 'CA', state: 'QC', zip: '12345' }],
    ['phone', { phone: '1.80256E+10' }],
    ['phone', { phone: '555' }],
    ['phone', { phone: 'see notes' }],
    ['state', { state: 'Vermont' }],
    ['country', { country: 'Vermontland', state: 'x' }],
    ['email', { email: 'ada@example' }],
    ['quantity', { quantity: '1.5' }],
    ['quantity', { quantity: '1001' }],
    ['street1', { street1: '' }],
  ]
  for (const [field, change] of faulty) {
    expect(
      problemsIn(change).map((problem) => problem.field),
      JSON.stringify(change),
    ).toEqual([field])
  }
})

it('suggests how labels write a state, a country and a ZIP, and changes nothing before it is asked to', () => {
  const rows = [
    { ...right, state: 'Vermont', country: 'United States' },
    { ...right, state: 'vermont', zip: '5401' },
    { ...right, state: 'Vermont', country: 'USA' },
    { ...right, state: 'Québec', country: 'Canada', zip: 'H2X 1Y4' },
    { ...right, state: 'Bayern', country: 'de', zip: '80331' },
    right,
  ]
  expect(suggestionsFor([{ ...right, state: 'TX', zip: '787' }]), 'a ZIP code of Puerto Rico').toEqual([])
  const suggestions = suggestionsFor(rows)
  expect(suggestions.map(({ from, to, rows }) => [from, to, rows])).toEqual([
    ['Vermont', 'VT', 2],
    ['United States', 'US', 1],
    ['vermont', 'VT', 1],
    ['5401', '05401', 1],
    ['USA', 'US', 1],
    ['Canada', 'CA', 1],
    ['Québec', 'QC', 1],
    ['de', 'DE', 1],
  ])
  const changed = withSuggestions(rows, suggestions)
  expect(changed.flatMap((row) => problemsOf(row, panels))).toEqual([])
  expect(suggestionsFor(changed)).toEqual([])
  const [first] = suggestions
  expect(withSuggestions(rows, first ? [first] : []).map(({ state }) => state)).toEqual([
    ...['VT', 'vermont', 'VT', 'Québec', 'Bayern', 'VT'],
  ])
})

it('points out a row that sends a person the same panel again', () => {
  const again = { ...right, email: 'ADA@example.test' }
  const other = { ...right, kit_type: 'ED14KY98G' }
  const housemate = { ...right, first_name: 'Grace' }
  expect([...duplicatesOf([right, other, housemate, again])]).toEqual([[3, 0]])
})

it('keeps the rows that were not ordered as a file that can be read again', () => {
  const row = { ...right, phone: '+1 802 555 0123', street2: '=1, "rear"', zip: '5401' }
  const text = csvOfRows([{ row, problems: problemsOf(row, panels) }])
  const sheet = readCsv(text)
  const mapping = Object.fromEntries(sheet.header.map((name, at) => [name, at]))
  const [back] = rowsOf(sheet, mapping, panels, '')
  expect(back && requestRows([back])).toEqual(requestRows([row]))
  expect(sheet.rows[0]?.cells.at(-1)).toMatch(/^ZIP: a ZIP has five digits/)
})

it('darkens every accent until white text can be read on it', () => {
  for (const color of ['#ffee00', '#00ffcc', '#ffffff', '#ff8800', '#000000', 'no colour', undefined]) {
    expect(getContrast(paletteOf(color)[6] ?? '', '#ffffff'), color).toBeGreaterThanOrEqual(4.5)
  }
})

it('an order form finds with a recipient what the page for many orders finds', () => {
  const wrong = {
    email: 'ada@example',
    phone: '9.40011E+21',
    country: 'US',
    state: 'ZZ',
    zip: '4101',
    last_name: '',
    first_name: 'Jos\uFFFD',
  }
  const inRow = problemsOf({ ...right, ...wrong }, panels).flatMap(({ field, message }) =>
    field ? [[field, message]] : [],
  )
  const inForm = recipientProblems({ ...emptyDraft, ...right, ...wrong })
  expect(inRow.length).toBe(6)
  expect(Object.fromEntries(inForm)).toEqual(Object.fromEntries(inRow))
  expect(recipientProblems({ ...emptyDraft, ...right, country: 'USA' }).get('country')).toBe('two letters, such as US')
  const written = { ...emptyDraft, ...right, country: 'Canada', state: 'Ontario' }
  expect(recipientCorrections(written)).toEqual([
    { field: 'country', to: 'CA' },
    { field: 'state', to: 'ON' },
  ])
})
