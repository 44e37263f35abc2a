import { deflateSync } from 'node:zlib'
import { createCanvas } from '@napi-rs/canvas'
import PDFDocument from 'pdfkit'

// What different programs put into a PDF for the same printed page. No font is embedded.

const measure = new PDFDocument({ autoFirstPage: false })
const widthOf = (text: string, points: number) => measure.font('Helvetica').fontSize(points).widthOfString(text)

/**
 * `words`: each word by itself; `letters`: each letter; `kern`: pieces of words; `columns`: column after column; `right`: numbers
 * end below one another; `jitter`: baselines that differ; `plain`: rules between lines; `courier`: whole lines of a fixed width;
 * `identity`: a font with letters of any language; `scan`: a picture.
 */
export type Producer =
  | 'words'
  | 'letters'
  | 'kern'
  | 'columns'
  | 'right'
  | 'jitter'
  | 'plain'
  | 'courier'
  | 'identity'
  | 'scan'

const EDGE = 36
const PITCH = 4.6
const SIZE = 8
const RAISED = 5
const LEADING = 11
const TOP = 750

interface Run {
  x: number
  y: number
  text: string
  size: number
}

const beyondLatin: Record<string, number> = { '–': 0x96, '—': 0x97, '’': 0x92, œ: 0x9c, '•': 0x95 }

/** A text of a PDF in the letters of WinAnsi. */
const latin = (text: string): string =>
  [...text]
    .map((letter) => {
      const code = beyondLatin[letter] ?? letter.codePointAt(0) ?? 0
      if (code > 255) throw new Error(`No letter of WinAnsi: ${letter} in ${text}`)
      return code < 32 || code > 126 || '()\\'.includes(letter) ? `\\${code.toString(8).padStart(3, '0')}` : letter
    })
    .join('')

const numberAlone = /^[<>]? ?[\d.,]+(?: [HL*])?$/

/** The cells of all lines where they stand; ⟨9⟩ is raised. Letters of Japan are twice as wide. */
function runsOf(body: string, producer: Producer): Run[] {
  return body.split('\n').flatMap((line, row) =>
    [...line.matchAll(/\S+(?: \S+)*/g)].flatMap(({ 0: cell, index }) => {
      const before = line.slice(0, index)
      const wide = before.match(/[\u2e80-\uffef]/g)?.length ?? 0
      let x = EDGE + (index + wide) * PITCH
      if (producer === 'right' && index > 0 && numberAlone.test(cell)) x += cell.length * PITCH - widthOf(cell, SIZE)
      const isJittered = producer === 'jitter'
      const y = TOP - row * LEADING + (isJittered && index > 0 ? (((index * 7) % 3) - 1) * 0.9 : 0)
      const size = isJittered && index === 0 ? SIZE + 0.6 : SIZE
      return cell.split(/[⟨⟩]/).flatMap((text, at) => {
        const isRaised = at % 2 === 1
        const run = { x, y: isRaised ? y + 2.6 : y, text, size: isRaised ? RAISED : size }
        x += widthOf(text, run.size)
        return text === '' ? [] : [run]
      })
    }),
  )
}

/** A run in pieces, each where it begins. */
function piecesOf(run: Run, parted: RegExp): Run[] {
  let { x } = run
  return run.text.split(parted).flatMap((piece) => {
    const one = { ...run, x, text: piece.trimEnd() }
    x += widthOf(piece, run.size)
    return one.text === '' ? [] : [one]
  })
}

const at = ({ x, y, size }: Run, font: string) => `/${font} ${size} Tf 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm`
const shown = (run: Run) => `BT ${at(run, 'F1')} (${latin(run.text)}) Tj ET`
const hex = (letter: string) => (letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')

const writers: Record<Exclude<Producer, 'scan' | 'courier'>, (runs: readonly Run[]) => string[]> = {
  words: (runs) => runs.flatMap((run) => piecesOf(run, /(?<= )/)).map(shown),
  letters: (runs) => runs.flatMap((run) => piecesOf(run, /(?:)/u)).map(shown),
  kern: (runs) =>
    runs.map((run) => {
      const pieces = (run.text.match(/.{1,3}/gs) ?? []).map((piece) => `(${latin(piece)})`)
      return `BT ${at(run, 'F1')} [${pieces.join(' -12 ')}] TJ ET`
    }),
  columns: (runs) => runs.toSorted((a, b) => Math.round(a.x / 40) - Math.round(b.x / 40) || b.y - a.y).map(shown),
  right: (runs) => runs.map(shown),
  jitter: (runs) => runs.map(shown),
  plain: (runs) =>
    runs.map(
      (run, index) => `${shown(run)}${index % 5 === 0 ? ` q 0.9 g 30 ${(run.y - 3).toFixed(1)} 550 0.4 re f Q` : ''}`,
    ),
  identity: (runs) => runs.map((run) => `BT ${at(run, 'F3')} <${[...run.text].map(hex).join('')}> Tj ET`),
}

function contentOf(producer: Exclude<Producer, 'scan'>, body: string): string {
  if (producer !== 'courier') return writers[producer](runsOf(body, producer)).join('\n')
  const lines = body.replaceAll(/[⟨⟩]/g, '').split('\n')
  return `BT /F2 7.5 Tf ${LEADING} TL 30 ${TOP} Td\n${lines.map((line) => `(${latin(line)}) Tj T*`).join('\n')}\nET`
}

function fileOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n', 'latin1')]
  const starts: number[] = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [index, object] of objects.entries()) {
    starts.push(length())
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object as string, 'latin1'), Buffer.from('\nendobj\n'))
  }
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${length()}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const stream = (data: Buffer, more = '') =>
  Buffer.concat([Buffer.from(`<< /Length ${data.length} ${more} >>\nstream\n`), data, Buffer.from('\nendstream')])
const root = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>']
const LETTERS_OF_A_BLOCK = 100

/** Which letter each code of the font `identity` is, and how wide. */
function letterMap(body: string): { map: string; widths: string } {
  const letters = [...new Set(body)].filter((letter) => letter > '\u001f').sort()
  const blocks = Array.from({ length: Math.ceil(letters.length / LETTERS_OF_A_BLOCK) }, (_, index) =>
    letters.slice(index * LETTERS_OF_A_BLOCK, (index + 1) * LETTERS_OF_A_BLOCK),
  )
  const mapped = blocks.map(
    (some) =>
      `${some.length} beginbfchar\n${some.map((letter) => `<${hex(letter)}> <${hex(letter)}>`).join('\n')}\nendbfchar`,
  )
  const width = (letter: string) =>
    letter > '\u2e80' ? 1000 : Math.round(widthOf(letter > '\u00ff' ? 'n' : letter, 1000))
  return {
    map: `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def\n1 begincodespacerange <0000> <ffff> endcodespacerange\n${mapped.join('\n')}\nendcmap end end`,
    widths: letters.map((letter) => `${letter.codePointAt(0)} [${width(letter)}]`).join(' '),
  }
}

/** A page of text as a PDF of this producer. */
export function produce(producer: Producer, page: string): Buffer {
  const body = page.replace(/\n$/, '')
  if (producer === 'scan') return scan(body)
  const { map, widths } = letterMap(body)
  return fileOf([
    ...root,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 640 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R /F2 6 0 R /F3 7 0 R >> >> >>',
    stream(deflateSync(Buffer.from(contentOf(producer, body), 'latin1')), '/Filter /FlateDecode'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    '<< /Type /Font /Subtype /Type0 /BaseFont /Arial /Encoding /Identity-H /DescendantFonts [8 0 R] /ToUnicode 9 0 R >>',
    `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Arial /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 10 0 R /DW 500 /W [${widths}] >>`,
    stream(Buffer.from(map)),
    '<< /Type /FontDescriptor /FontName /Arial /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 /CapHeight 700 /StemV 80 >>',
  ])
}

/** The page as a picture, a little askew. */
function scan(body: string): Buffer {
  const [width, height] = [1700, 2200]
  const canvas = createCanvas(width, height)
  const pen = canvas.getContext('2d')
  pen.fillStyle = 'white'
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = 'black'
  pen.font = '22px monospace'
  pen.rotate(0.004)
  for (const [index, line] of body.split('\n').entries()) pen.fillText(line, 90, 120 + index * 32)
  return fileOf([
    ...root,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>',
    stream(Buffer.from('q 612 0 0 792 0 0 cm /I Do Q')),
    stream(
      canvas.toBuffer('image/jpeg', 80),
      `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`,
    ),
  ])
}
