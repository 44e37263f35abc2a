import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker, OEM, PSM } from 'tesseract.js'
import { type Grey, pgmOf } from './grey.ts'

export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

export interface Word extends Box {
  text: string
  /** 0 to 100, as Tesseract believes. It believes lost decimal points too. */
  confidence: number
}

/** Words that stand on one line of the page, from the left. */
export type WordLine = Word[]

export interface Engine {
  readPage(grey: Grey): Promise<WordLine[]>
  /** A single number, read as nothing but digits and signs. */
  readNumber(grey: Grey): Promise<string>
}

/** Text recognition in English without a network. The process it runs in is ended as a whole, so it has no end of its own. */
export async function startEngine(): Promise<Engine> {
  const data = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')
  const langPath = join(dirname(data), '4.0.0_best_int')
  const worker = await createWorker('eng', OEM.LSTM_ONLY, { langPath, gzip: true, cacheMethod: 'none' })
  const page = { tessedit_pageseg_mode: PSM.SINGLE_BLOCK, user_defined_dpi: '300', tessedit_char_whitelist: '' }
  const number = { ...page, tessedit_pageseg_mode: PSM.SINGLE_LINE, tessedit_char_whitelist: '0123456789.,<>=' }
  return {
    async readPage(grey) {
      await worker.setParameters(page)
      const { data } = await worker.recognize(pgmOf(grey), {}, { text: false, blocks: true })
      const lines = (data.blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap((one) => one.lines))
      return lines.map(({ words }) => words.map(({ text, confidence, bbox }) => ({ text, confidence, ...bbox })))
    },
    async readNumber(grey) {
      await worker.setParameters(number)
      const { data } = await worker.recognize(pgmOf(grey), {}, { text: true })
      return data.text.trim()
    },
  }
}
