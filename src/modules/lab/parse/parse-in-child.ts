import { z } from 'zod'
import { parseJson, runChild } from './child-process.ts'
import { ParsedFile } from './parsed.ts'
import { Refusal, RefusalCode, ReviewReason } from './refusal.ts'
import { openGate } from './slots.ts'
import { sniff } from './sniff.ts'

export interface ParseInChildLimits {
  /** Whose file it is: a business, a laboratory. Those who wait take turns. */
  owner?: string
  timeoutMs?: number
  maxPages?: number
  maxMemoryMb?: number
  maxBytes?: number
}

const defaults = { owner: '', timeoutMs: 8_000, maxPages: 100, maxMemoryMb: 512, maxBytes: 10 * 1024 * 1024 }

const maxOutputBytes = 5 * 1024 * 1024

const Answer = z.union([
  z.object({ file: ParsedFile }),
  z.object({ code: RefusalCode, needsReview: ReviewReason.optional() }),
])

const gate = openGate({ maxAtOnce: 2, maxWaitingEach: 20, maxWaiting: 60 })

/**
 * Reads an uploaded file in a process of its own, which is gone when this returns. At most 2 run at once; of one
 * owner 20 wait, and owners take turns.
 * @throws Refusal: UNSUPPORTED_FORMAT, TOO_LARGE, TOO_MANY_PAGES, PARSE_TIMEOUT, PARSE_FAILED, NOTHING_FOUND,
 * NEEDS_REVIEW (scan, image, layout), BUSY
 */
export async function parseInChild(bytes: Uint8Array, limits: ParseInChildLimits = {}): Promise<ParsedFile> {
  const all = { ...defaults, ...limits }
  refuseEarly(bytes, all.maxBytes)
  const leave = await gate.enter(all.owner)
  try {
    const program = { url: new URL('./child.ts', import.meta.url), args: [all.maxPages] }
    return read(await runChild(program, bytes, { ...all, maxOutputBytes }))
  } finally {
    leave()
  }
}

/** What needs no process to be told. */
function refuseEarly(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.byteLength > maxBytes) throw new Refusal('TOO_LARGE')
  const format = sniff(bytes)
  if (format === 'image') throw new Refusal('NEEDS_REVIEW', 'image')
  if (format === 'zip' || format === 'unknown') throw new Refusal('UNSUPPORTED_FORMAT')
}

function read(output: Buffer): ParsedFile {
  const answer = Answer.safeParse(parseJson(output))
  if (!answer.success) throw new Refusal('PARSE_FAILED')
  if ('file' in answer.data) return answer.data.file
  throw new Refusal(answer.data.code, answer.data.needsReview)
}
