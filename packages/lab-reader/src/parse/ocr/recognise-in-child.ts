import pLimit from 'p-limit'
import { askChild, childAnswer } from '../ask-child.ts'
import { RecognisedFile } from './recognised.ts'

export interface RecogniseInChildLimits {
  timeoutMs?: number
  /** CPU time after which no further page is begun. A page takes about 4 s. */
  budgetMs?: number
  maxCpuSeconds?: number
  maxPages?: number
  maxMemoryMb?: number
}

const defaults = { timeoutMs: 300_000, budgetMs: 90_000, maxCpuSeconds: 150, maxPages: 10, maxMemoryMb: 1024 }
// Ten pictures of pages as base64, at most 2.7 MB each.
const maxOutputBytes = 30 * 1024 * 1024

const answer = childAnswer(RecognisedFile)

const oneAtATime = pLimit(1)

/**
 * Draws the pages of a file and recognises their text in a process of its own, one file at a time.
 * @throws Refusal UNSUPPORTED_FORMAT, TOO_LARGE, PARSE_TIMEOUT, PARSE_FAILED
 */
export function recogniseInChild(bytes: Uint8Array, limits: RecogniseInChildLimits = {}): Promise<RecognisedFile> {
  const { maxPages, budgetMs, ...rest } = { ...defaults, ...limits }
  const program = {
    url: new URL('./child.ts', import.meta.url),
    args: [maxPages, budgetMs],
    // Drawing is native code. Tesseract is WebAssembly in a thread, without the 8 GB that its guards would reserve.
    flags: ['--allow-addons', '--allow-worker', '--disable-wasm-trap-handler'],
    addressSpaceGb: 12,
    isLowPriority: true,
  }
  return oneAtATime(() => askChild(program, bytes, { ...rest, maxOutputBytes }, answer))
}
