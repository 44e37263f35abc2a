import { type Canvas, createCanvas, type Image, loadImage, type SKRSContext2D } from '@napi-rs/canvas'
import { createIsomorphicCanvasFactory, getDocumentProxy } from 'unpdf'
import { hasHiddenText } from '../pdf/hidden.ts'
import { type Line, linesOfItems, quarterOf } from '../pdf/text.ts'
import { Refusal } from '../refusal.ts'
import { type Grey, greyOf } from './grey.ts'
import { type Size, sizeOf } from './size.ts'
import { isSideways, skewDegrees } from './skew.ts'
import { isTiff, openTiff } from './tiff.ts'

export interface Sheet {
  number: number
  grey: Grey
  /** Pixels of the grey picture per point of 1/72 inch; a picture without a size counts as a page. */
  pixelsPerPoint: number
  /** From the text layer, if there is one: nothing must be recognised then. */
  lines?: Line[]
}

export interface Sheets {
  total: number
  /** One at a time: a page at 300 dpi takes about 100 MB while it is drawn. */
  open(number: number): Promise<Sheet>
}

/** A decoded picture has 4 bytes per pixel: 160 MB. */
const maxPixels = 40e6
/** What is recognised: a page of A3 at 290 dpi. */
const maxDrawn = 16e6
/** A canvas cannot be longer. */
const maxSide = 30_000
const dotsPerInch = 300
const pageWidthPoints = 612
const minTextChars = 40

/** The pages of a PDF, drawn. @throws Refusal PARSE_FAILED */
export async function pdfSheets(bytes: Uint8Array): Promise<Sheets> {
  const CanvasFactory = await createIsomorphicCanvasFactory(() => import('@napi-rs/canvas'))
  const options = { CanvasFactory, verbosity: 0, maxImageSize: maxPixels, isEvalSupported: false }
  const pdf = await getDocumentProxy(new Uint8Array(bytes), options)
  return {
    total: pdf.numPages,
    async open(number) {
      const page = await pdf.getPage(number)
      const { width, height } = page.getViewport({ scale: 1 })
      const pixelsPerPoint = Math.min(dotsPerInch / 72, largestScale({ width, height }))
      const viewport = page.getViewport({ scale: pixelsPerPoint })
      const { canvas, context } = blank(viewport)
      // The types are those of a browser's canvas.
      await page.render({ canvas: canvas as never, canvasContext: context as never, viewport }).promise
      const { items } = await page.getTextContent()
      const lines = page.rotate === 0 && quarterOf(items) === 0 ? linesOfItems(items, number) : []
      const length = lines.reduce((sum, { text }) => sum + text.length, 0)
      const hasText = length >= minTextChars && !(await hasHiddenText(page))
      page.cleanup()
      if (hasText)
        return { number, grey: pixels(context, canvas), pixelsPerPoint, lines: lines.map(shiftedBy(page.view)) }
      return { number, grey: straight(context, canvas), pixelsPerPoint }
    },
  }
}

/** The offset of a page whose corner is not 0, 0. */
const shiftedBy =
  ([left = 0, bottom = 0]: readonly number[]) =>
  (line: Line): Line => ({
    ...line,
    y: line.y - bottom,
    cells: line.cells.map((cell) => ({ ...cell, x0: cell.x0 - left, x1: cell.x1 - left })),
  })

/** A picture as a page of its own; of a TIFF, each of its pages. @throws Refusal TOO_LARGE before it is decoded, PARSE_FAILED */
export async function imageSheets(bytes: Uint8Array): Promise<Sheets> {
  if (isTiff(bytes)) return tiffSheets(bytes)
  assertDrawable(sizeOf(bytes))
  const sheet = sheetOf(await loadImage(Buffer.from(bytes)))
  return { total: 1, open: async (number) => ({ number, ...sheet }) }
}

function tiffSheets(bytes: Uint8Array): Sheets {
  const tiff = openTiff(bytes)
  if (tiff.sizes.length === 0) throw new Refusal('PARSE_FAILED')
  for (const size of tiff.sizes) assertDrawable(size)
  return {
    total: tiff.sizes.length,
    async open(number) {
      const { data, width, height } = tiff.decode(number - 1)
      const { canvas, context } = blank({ width, height })
      const picture = context.createImageData(width, height)
      picture.data.set(data)
      context.putImageData(picture, 0, 0)
      return { number, ...sheetOf(canvas) }
    },
  }
}

function assertDrawable(size: Size | undefined): void {
  if (!size || size.width < 1 || size.height < 1) throw new Refusal('PARSE_FAILED')
  if (size.width * size.height > maxPixels || Math.max(size.width, size.height) > maxSide)
    throw new Refusal('TOO_LARGE')
}

function sheetOf(image: Image | Canvas): Pick<Sheet, 'grey' | 'pixelsPerPoint'> {
  const scale = scaleOf(image)
  const { canvas, context } = blank({ width: image.width * scale, height: image.height * scale })
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const grey = straight(context, canvas)
  return { grey, pixelsPerPoint: Math.min(grey.width, grey.height) / pageWidthPoints }
}

/** As wide as a page at 300 dpi, but at most twice its size. */
function scaleOf({ width, height }: Size): number {
  const wanted = (pageWidthPoints / 72) * dotsPerInch
  return Math.min(2, Math.max(1, wanted / Math.min(width, height)), largestScale({ width, height }))
}

const largestScale = ({ width, height }: Size) =>
  Math.min(Math.sqrt(maxDrawn / (width * height)), maxSide / Math.max(width, height))

function blank({ width, height }: Size) {
  const canvas: Canvas = createCanvas(Math.max(1, Math.round(width)), Math.max(1, Math.round(height)))
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return { canvas, context }
}

const pixels = (context: SKRSContext2D, { width, height }: Size) => greyOf(context.getImageData(0, 0, width, height))

/** Turned so that its lines are level; whether they are upside down is not known yet. */
function straight(context: SKRSContext2D, canvas: Canvas): Grey {
  const grey = pixels(context, canvas)
  if (isSideways(grey)) {
    const turned = blank({ width: canvas.height, height: canvas.width })
    turned.context.translate(turned.canvas.width, 0)
    turned.context.rotate(Math.PI / 2)
    turned.context.drawImage(canvas, 0, 0)
    return level(turned.context, turned.canvas)
  }
  return level(context, canvas, grey)
}

function level(context: SKRSContext2D, canvas: Canvas, grey = pixels(context, canvas)): Grey {
  const degrees = skewDegrees(grey)
  if (Math.abs(degrees) < 0.25) return grey
  const turned = blank(canvas)
  turned.context.translate(canvas.width / 2, canvas.height / 2)
  turned.context.rotate((-degrees * Math.PI) / 180)
  turned.context.drawImage(canvas, -canvas.width / 2, -canvas.height / 2)
  return pixels(turned.context, turned.canvas)
}
