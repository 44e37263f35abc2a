import { drawInThread } from '../../../platform/pdf/draw-in-thread.ts'
import type { Printable } from './subject.ts'

/** A report as PDF. */
export const reportPdf = (printable: Printable): Promise<Buffer> =>
  drawInThread(new URL('./pdf.ts', import.meta.url), printable)
