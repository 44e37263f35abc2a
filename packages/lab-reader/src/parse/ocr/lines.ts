import type { Cell, Line } from '../pdf/text.ts'
import type { Box, Word, WordLine } from './engine.ts'

/** A line as the readers of PDFs know it, and where its words stand. */
export interface Placed {
  line: Line
  words: readonly Word[]
  box: Box
}

/** In heights of a line: a wider gap begins another cell. */
const cellGap = 0.9

/** Puts recognised words into lines of cells, in points from the bottom left as a PDF has them. */
export function placeLines(
  found: readonly WordLine[],
  page: { number: number; height: number; scale: number },
): Placed[] {
  return found
    .map((words) => words.filter(isText))
    .filter((words) => words.length > 0)
    .map((words) => ({ words, box: boxOf(words) }))
    .sort((a, b) => a.box.y0 - b.box.y0)
    .map(({ words, box }, index) => {
      const cells = cellsOf(words, page.scale)
      const y = (page.height - box.y1) / page.scale
      const text = cells.map((cell) => cell.text).join('  ')
      const height = median(words.map(({ y0, y1 }) => y1 - y0)) / page.scale
      return { words, box, line: { page: page.number, number: index + 1, y, height, cells, text } }
    })
}

/** Dirt and rules of a table come out as single marks of low confidence. */
const isText = ({ text, confidence }: Word) => /[\p{L}\p{N}%<>]/u.test(text) && (confidence >= 20 || text.length > 1)

export function boxOf(words: readonly Box[]): Box {
  return {
    x0: Math.min(...words.map(({ x0 }) => x0)),
    y0: Math.min(...words.map(({ y0 }) => y0)),
    x1: Math.max(...words.map(({ x1 }) => x1)),
    y1: Math.max(...words.map(({ y1 }) => y1)),
  }
}

function cellsOf(words: readonly Word[], scale: number): Cell[] {
  const height = median(words.map(({ y0, y1 }) => y1 - y0))
  const cells: Cell[] = []
  for (const { text, x0, x1 } of [...words].sort((a, b) => a.x0 - b.x0)) {
    const last = cells.at(-1)
    if (last && x0 - last.x1 * scale < cellGap * height) {
      last.text += ` ${text}`
      last.x1 = Math.max(last.x1, x1 / scale)
    } else cells.push({ text, x0: x0 / scale, x1: x1 / scale })
  }
  return cells
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
}
