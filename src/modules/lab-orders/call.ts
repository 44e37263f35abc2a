import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { LaboratoryCall, LaboratoryPort, LaboratoryReply } from '../../domain/ports.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import type { Line } from '../../platform/egress/exchange.ts'
import { type Frames, framed, framesUpTo } from '../../platform/mllp-frames.ts'
import type { Settings } from '../../settings.ts'

const TIMEOUT_MS = 30_000
// An acknowledgement is a hundredth of it; one over HTTP may repeat the whole order.
const MAX_BYTES = 1024 * 1024
// A laboratory that decides at once answers within it. One that answers later has other ways, and others wait for their turn.
const READ_ON_MS = 3000

/** Calls laboratories: at the hosts of the settings, or by a file in their folder. */
export function laboratoryCaller(egress: Egress, { hosts = [], folder }: Settings['labOrders']): LaboratoryPort {
  return async (call) => {
    if (call.url.startsWith('folder:')) return put(folder, call)
    if (!call.url.startsWith('https:') && !call.url.startsWith('http:')) return byMllp(egress, hosts, call)
    const { url, headers, body } = call
    const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_BYTES, policy: { hosts: [...hosts], loopback: true } }
    const answer = await egress.request({ ...limits, url, headers, body, method: 'POST' })
    if (answer.truncated) throw new EgressError('TOO_LARGE', { status: answer.status })
    return { status: answer.status, body: answer.body.toString() }
  }
}

async function byMllp(egress: Egress, hosts: readonly string[], { url, body, isAnswer }: LaboratoryCall) {
  const endsAt = performance.now() + TIMEOUT_MS
  const line = await egress.exchange({ url, hosts, message: framed(body), timeoutMs: TIMEOUT_MS })
  const frames = framesUpTo(MAX_BYTES)
  let heard = ''
  try {
    for (;;) {
      const bytes = await line.read(endsAt - performance.now())
      if (!bytes) throw new EgressError('RESET')
      const texts = frames.read(bytes).map(String)
      heard = texts.at(-1) ?? String(bytes)
      const at = texts.findIndex(isAnswer)
      const [answer, ...rest] = at < 0 ? [] : texts.slice(at)
      if (answer !== undefined) return { status: 200, body: answer, line: lineOf(line, frames, rest) }
    }
  } catch (err) {
    line.close()
    if (heard !== '' && err instanceof EgressError) return { status: 200, body: heard, isUnclear: true as const }
    throw err
  }
}

function lineOf(line: Line, frames: Frames, begun: readonly string[]): NonNullable<LaboratoryReply['line']> {
  return {
    async *more() {
      yield* begun
      const endsAt = performance.now() + READ_ON_MS
      for (;;) {
        const bytes = await line.read(endsAt - performance.now()).catch(() => undefined)
        if (!bytes) return
        yield* frames.read(bytes).map(String)
      }
    },
    write: (text) => line.write(framed(text)),
    close: line.close,
  }
}

/** Why nothing can be put into a folder, as a sentence; undefined if it can. */
export async function problemOfFolder(root: string, folder: string): Promise<string | undefined> {
  const path = join(root, folder)
  const isThere = await stat(path).then(
    (one) => one.isDirectory(),
    () => false,
  )
  if (!isThere) return 'There is no such folder below LAB_ORDERS_FOLDER: make it first'
  return access(path, constants.W_OK | constants.X_OK).then(
    () => undefined,
    () => 'The service may not write into this folder',
  )
}

/** A whole file or none: under its name it is complete, and on the disk. The same again replaces it. */
async function put(root: string | undefined, { url, name, body }: LaboratoryCall) {
  if (root === undefined) throw new EgressError('REFUSED_URL')
  const path = join(root, url.slice('folder:'.length), name)
  const written = join(dirname(path), `.${name}.${randomUUID()}`)
  const file = await open(written, 'wx', 0o640).catch(() => {
    throw new EgressError('CONNECT', { reason: 'FOLDER' })
  })
  try {
    await file.writeFile(body)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(written, path)
  return { status: 202, body: '' }
}
