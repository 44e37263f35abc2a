import { jsonIn } from '../../../domain/translations/sentences.ts'
import { drawInThread } from '../../../platform/pdf/draw-in-thread.ts'
import type { Printable } from './subject.ts'

/** A report as PDF. Sentences are text by then: a thread gets data alone. */
export const reportPdf = ({ report, ...printable }: Printable): Promise<Buffer> =>
  drawInThread(new URL('./pdf.ts', import.meta.url), {
    ...printable,
    report: JSON.parse(jsonIn(printable.language ?? 'en', report)),
  })
