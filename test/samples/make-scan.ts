import { fileURLToPath } from 'node:url'
import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas'
import PDFDocument from 'pdfkit'
import { renderPageAsImage } from 'unpdf'
import { makePdf, type Page, type Printed } from './make-pdf.ts'

export const font = (name: string) => fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))

export interface Scanner {
  dpi: number
  /** The skew of the paper in degrees. */
  angle?: number
  /** The largest error of a pixel, 0 to 255. */
  noise?: number
  format?: 'png' | 'jpeg'
}

/** A fixed random sequence, so that a scan is always the same. */
function sequence(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Draws a page as a scanner would: a skewed picture with grey noise. */
export async function scanPage(page: Page, { dpi, angle = 0, noise = 0, format = 'png' }: Scanner): Promise<Buffer> {
  const pdf = await makePdf([page])
  const options = { canvasImport: () => import('@napi-rs/canvas'), scale: dpi / 72 }
  const image = await loadImage(Buffer.from(await renderPageAsImage(new Uint8Array(pdf), 1, options)))
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.translate(canvas.width / 2, canvas.height / 2)
  context.rotate((angle * Math.PI) / 180)
  context.drawImage(image, -canvas.width / 2, -canvas.height / 2)
  if (noise > 0) {
    const random = sequence(7)
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height)
    for (let at = 0; at < pixels.data.length; at += 4) {
      const off = (random() - 0.5) * 2 * noise
      for (const part of [0, 1, 2]) pixels.data[at + part] = (pixels.data[at + part] ?? 0) + off
    }
    // Unlike a browser's, this canvas applies its transformation to putImageData.
    context.resetTransform()
    context.putImageData(pixels, 0, 0)
  }
  return format === 'png' ? canvas.toBuffer('image/png') : canvas.toBuffer('image/jpeg', 85)
}

/** A picture that lies on its side or upside down. */
export async function turnedBy(degrees: 90 | 180 | 270, picture: Buffer): Promise<Canvas> {
  const image = await loadImage(picture)
  const [width, height] = degrees === 180 ? [image.width, image.height] : [image.height, image.width]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.translate(width / 2, height / 2)
  context.rotate((degrees * Math.PI) / 180)
  context.drawImage(image, -image.width / 2, -image.height / 2)
  return canvas
}

/** A TIFF of black and white pages, one byte a pixel and without compression (TIFF 6.0, section 4). */
export function tiffOf(pages: readonly Canvas[]): Buffer {
  const parts = [Buffer.from('II*\0\0\0\0\0', 'latin1')]
  let length = 8
  let [before = Buffer.alloc(4)] = parts
  for (const { width, height, data } of pages.map((page) =>
    page.getContext('2d').getImageData(0, 0, page.width, page.height),
  )) {
    const pixels = Buffer.alloc(width * height)
    for (let at = 0; at < pixels.length; at++) pixels[at] = data[at * 4] ?? 255
    const tags = [
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
      [273, length],
      [277, 1],
      [278, height],
      [279, pixels.length],
    ] as const
    const directory = Buffer.alloc(2 + tags.length * 12 + 4)
    directory.writeUInt16LE(tags.length)
    for (const [index, [tag, value]] of tags.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12)
      directory.writeUInt16LE(4, 4 + index * 12)
      directory.writeUInt32LE(1, 6 + index * 12)
      directory.writeUInt32LE(value, 10 + index * 12)
    }
    const padded = pixels.length % 2 === 0 ? pixels : Buffer.concat([pixels, Buffer.alloc(1)])
    parts.push(padded, directory)
    const at = length + padded.length
    // Each directory ends with the place of the next one; the first one's stands in the header.
    before.writeUInt32LE(at, before.length - 4)
    before = directory
    length = at + directory.length
  }
  return Buffer.concat(parts)
}

/** A PDF of pictures. Behind the first one is the invisible text that a scanner recognised. */
export function pdfOfPictures(pictures: readonly Buffer[], hidden?: Page): Promise<Buffer> {
  const document = new PDFDocument({ autoFirstPage: false, size: 'LETTER', margin: 0 })
  const chunks: Buffer[] = []
  document.on('data', (chunk) => chunks.push(chunk))
  for (const picture of pictures) document.addPage().image(picture, 0, 0, { width: 612, height: 792 })
  if (hidden) {
    const { lines, fontSize = 9, leading = 1.3 } = hidden
    document.addContent('3 Tr').fontSize(fontSize)
    lines.forEach((line, index) => {
      for (const [x, text] of line) document.text(text, x, 40 + index * fontSize * leading, { lineBreak: false })
    })
  }
  document.end()
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))))
}

export interface Expected {
  biomarker: string
  value: number
}

const rows: [string, string, string, string, string, string, number][] = [
  ['Glucose', '92', '', 'mg/dL', '70-99', 'glucose', 92],
  ['Creatinine', '0.81', '', 'mg/dL', '0.57-1.00', 'creatinine', 0.81],
  ['Sodium', '141', '', 'mmol/L', '134-144', 'sodium', 141],
  ['Potassium', '4.4', '', 'mmol/L', '3.5-5.2', 'potassium', 4.4],
  ['ALT (SGPT)', '18', '', 'IU/L', '0-32', 'alt', 18],
  ['Cholesterol, Total', '215', 'High', 'mg/dL', '100-199', 'total_cholesterol', 215],
  ['Triglycerides', '88', '', 'mg/dL', '0-149', 'triglycerides', 88],
  ['HDL Cholesterol', '58', '', 'mg/dL', '>39', 'hdl', 58],
  ['LDL Chol Calc (NIH)', '139', 'High', 'mg/dL', '0-99', 'ldl', 139],
  ['Hemoglobin A1c', '5.8', 'High', '%', '4.8-5.6', 'hba1c', 5.8],
  ['TSH', '2.310', '', 'uIU/mL', '0.450-4.500', 'tsh', 2.31],
  ['T4,Free(Direct)', '1.21', '', 'ng/dL', '0.82-1.77', 'free_t4', 1.21],
  ['Vitamin D, 25-Hydroxy', '24.7', 'Low', 'ng/mL', '30.0-100.0', 'vitamin_d', 24.7],
  ['Ferritin', '31', '', 'ng/mL', '15-150', 'ferritin', 31],
  ['WBC', '5.8', '', 'x10E3/uL', '3.4-10.8', 'wbc', 5.8],
  ['Hemoglobin', '11.0', 'Low', 'g/dL', '11.1-15.9', 'hemoglobin', 11],
  ['Platelets', '248', '', 'x10E3/uL', '150-450', 'platelets', 248],
  ['C-Reactive Protein, Cardiac', '0.62', '', 'mg/L', '0.00-3.00', 'hs_crp', 0.62],
]

export const expected: Expected[] = rows.map(([, , , , , biomarker, value]) => ({ biomarker, value }))

/** The same tests with other values, in or near their ranges, with as many decimals as their ranges have. */
function otherRows(seed: number): typeof rows {
  const random = sequence(seed)
  return rows.map(([name, text, , unit, range, biomarker]) => {
    const [low = 0, high = 2 * low] = range.replace('>', '').split('-').map(Number)
    const decimals = text.split('.')[1]?.length ?? 0
    const value = Number(
      (Math.max(0.3 * low, low + (high - low) * (1.5 * random() - 0.2)) || high / 2).toFixed(decimals),
    )
    const flag = value < low ? 'Low' : value > high && !range.startsWith('>') ? 'High' : ''
    return [name, value.toFixed(decimals), flag, unit, range, biomarker, value]
  })
}

/** A made-up sheet with other values, and its expected values. */
export function otherSheet(
  seed: number,
  changes: Parameters<typeof labSheet>[0] = {},
): { page: Page; expected: Expected[] } {
  const made = otherRows(seed)
  return {
    page: labSheet({ ...changes, rows: made }),
    expected: made.map(([, , , , , biomarker, value]) => ({ biomarker, value })),
  }
}

/** A made-up laboratory's sheet. */
export function labSheet(changes: { fontSize?: number; font?: string; birth?: string; rows?: typeof rows } = {}): Page {
  const { fontSize = 8.5, font: face = font('DejaVuSans'), birth = '02/03/1980', rows: printed = rows } = changes
  const head: Printed[] = [
    [[40, 'Northwind Clinical Laboratory', 13]],
    [],
    [
      [40, 'Patient: Doe, Jamie'],
      [240, `DOB: ${birth}`],
      [400, 'Sex: F'],
    ],
    [
      [40, 'Specimen ID: NW-30412'],
      [240, 'Date Collected: 03/24/2025'],
      [400, 'Date Reported: 03/26/2025'],
    ],
    [],
    [
      [40, 'Test'],
      [240, 'Result'],
      [310, 'Flag'],
      [370, 'Units'],
      [460, 'Reference Interval'],
    ],
  ]
  const body = printed.map(([name, value, flag, unit, range]): Printed => {
    const line: Printed = [
      [40, name],
      [240, value],
      [310, flag],
      [370, unit],
      [460, range],
    ]
    return line.filter(([, text]) => text !== '')
  })
  return { lines: [...head, ...body], fontSize, font: face, leading: 1.6 }
}
