import { drawInThread } from '../../../platform/pdf/draw-in-thread.ts'
import type { Printable } from './pdf.ts'

/** A receipt as PDF. */
export const receiptPdf = (printable: Printable): Promise<Buffer> =>
  drawInThread(new URL('./pdf.ts', import.meta.url), printable)
