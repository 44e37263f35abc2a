import { Refusal } from '../refusal.ts'
import { decodeText } from '../text.ts'

/** One JSON value, or one on each line. @throws Refusal */
export function readJson(bytes: Uint8Array): unknown {
  const text = decodeText(bytes).replace(/^\uFEFF/, '')
  try {
    return JSON.parse(text)
  } catch {
    return readLines(text)
  }
}

/** NDJSON: one resource a line. */
function readLines(text: string): unknown[] {
  try {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line))
  } catch {
    throw new Refusal('PARSE_FAILED')
  }
}
