// pdfkit brings no types; these are the parts that are used here.
declare module 'pdfkit' {
  import type { Readable } from 'node:stream'

  interface TextOptions {
    width?: number
    height?: number
    align?: 'left' | 'center' | 'right'
    lineBreak?: boolean
    lineGap?: number
    ellipsis?: boolean | string
  }

  class PDFDocument extends Readable {
    constructor(options: {
      size?: 'A4'
      margin?: number
      /** Empty: none, instead of Helvetica. */
      font: ''
      pdfVersion?: '1.7'
      tagged?: boolean
      lang?: string
      displayTitle?: boolean
      bufferPages?: boolean
      info?: Record<string, string | Date>
    })
    /** Private there. */
    _font: { font: PDFDocument.ParsedFont }
    page: { width: number; height: number }
    registerFont(name: string, font: Buffer | PDFDocument.ParsedFont): this
    font(name: string, size?: number): this
    fontSize(size: number): this
    text(text: string, x: number, y: number, options?: TextOptions): this
    widthOfString(text: string): number
    heightOfString(text: string, options?: TextOptions): number
    addPage(): this
    bufferedPageRange(): { start: number; count: number }
    switchToPage(index: number): this
    struct(type: string, options: { alt?: string; title?: string }, draw: () => void): PDFDocument.Structure
    struct(type: string): PDFDocument.Structure
    addStructure(element: PDFDocument.Structure): this
    markContent(tag: 'Artifact', options: { type: string }): this
    endMarkedContent(): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    path(svg: string): this
    rect(x: number, y: number, width: number, height: number): this
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this
    circle(x: number, y: number, radius: number): this
    polygon(...points: [number, number][]): this
    lineWidth(width: number): this
    lineCap(style: 'butt' | 'round'): this
    dash(length: number, options: { space: number }): this
    undash(): this
    fill(color: string): this
    fillColor(color: string): this
    stroke(color: string): this
    end(): void
  }

  namespace PDFDocument {
    /** fontkit's. */
    interface ParsedFont {
      hasGlyphForCodePoint(code: number): boolean
      /** Private there: a cache. */
      _glyphs: object
    }
    interface Structure {
      add(child: Structure): this
    }
  }

  export = PDFDocument
}
