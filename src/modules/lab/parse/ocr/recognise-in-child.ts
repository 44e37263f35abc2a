import pLimit from 'p-limit'
import { z } from 'zod'
import { parseJson, runChild } from '../child-process.ts'
import { Refusal, RefusalCode } from '../refusal.ts'
import { RecognisedFile } from './recognised.ts'

export interface RecogniseInChildLimits {
  timeoutMs?: number
  /** Of the processor; after that no further page is begun, and what was seen is told. A page takes about 4 s of it. */
  budgetMs?: number
  maxCpuSeconds?: number
  maxPages?: number
  maxMemoryMb?: number
}

const defaults = { timeoutMs: 300_000, budgetMs: 90_000, maxCpuSeconds: 150, maxPages: 10, maxMemoryMb: 1024 }
// Ten pictures of pages as base64, at most 2.7 MB each.
const maxOutputBytes = 30 * 1024 * 1024

const Answer = z.union([z.object({ seen: RecognisedFile }), z.object({ code: RefusalCode })])

const oneAtATime = pLimit(1)

/**
 * Draws and recognises the pages of a file in a process of its own, one file at a time.
 * @throws Refusal UNSUPPORTED_FORMAT, TOO_LARGE, PARSE_TIMEOUT, PARSE_FAILED
 */
export function recogniseInChild(bytes: Uint8Array, limits: RecogniseInChildLimits = {}): Promise<RecognisedFile> {
  return oneAtATime(() => recogniseAlone(bytes, { ...defaults, ...limits }))
}

async function recogniseAlone(
  bytes: Uint8Array,
  { maxPages, budgetMs, ...limits }: Required<RecogniseInChildLimits>,
): Promise<RecognisedFile> {
  const program = {
    url: new URL('./child.ts', import.meta.url),
    args: [maxPages, budgetMs],
    // Drawing is native code; Tesseract is WebAssembly in a thread, without the 8 GB that its guards would reserve.
    flags: ['--allow-addons', '--allow-worker', '--disable-wasm-trap-handler'],
    addressSpaceGb: 12,
    isPatient: true,
  }
  const answer = Answer.safeParse(parseJson(await runChild(program, bytes, { ...limits, maxOutputBytes })))
  if (!answer.success) throw new Refusal('PARSE_FAILED')
  if ('seen' in answer.data) return answer.data.seen
  throw new Refusal(answer.data.code)
}
