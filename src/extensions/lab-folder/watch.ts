import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../domain/errors.ts'
import { takenInAt } from '../../modules/lab-orders/hl7.ts'
import type { PerformRequest } from '../../platform/http/perform.ts'
import type { Logger } from '../../platform/log.ts'
import type { Settings } from '../../settings.ts'
import { type Folder, foldersIn, REFUSED, type Seen, TAKEN } from './files.ts'

export const RESULTS = '/operator/v1/lab/results'
// The limit of that route.
const MAX_FILE_BYTES = 2 * 1024 * 1024
// PDF, archives and workbooks, PNG, JPEG.
const DOCUMENTS = ['%PDF', 'PK\x03\x04', '\x89PNG', '\xff\xd8\xff']
const LOOK_MS = 5000
/** A file counts as written when it has not changed for so long: SFTP does not say that an upload has ended. */
const QUIET_MS = 30_000
/** After an answer that says nothing about the file: the service is busy, or the token does not count. */
const AGAIN_MS = 60_000
/** Then it is another laboratory's turn. */
const FILES_A_TURN = 50

export interface WatchOptions {
  settings: NonNullable<Settings['labFolder']>
  log: Logger
  perform: PerformRequest
  now: () => Date
  lookMs?: number
  quietMs?: number
  againMs?: number
  read?: (seen: Seen) => Promise<Buffer | undefined>
}

/**
 * Takes what laboratories put into a folder, and acknowledges each file by moving it: what the route of results took into `done`,
 * what it refused into `refused`, with the reason. A file that was taken and not moved, since the process ended, is taken again
 * under the same key, which changes nothing. No name of a file is logged: it may be a person's.
 * @throws StartError
 */
export async function watchFolder(options: WatchOptions): Promise<{ stop(): Promise<void> }> {
  const { settings, log, lookMs = LOOK_MS } = options
  await access(settings.path, constants.R_OK | constants.X_OK).catch((err) => {
    throw new StartError('LAB_FOLDER_PATH must be a folder that this user may read', { cause: err })
  })
  const stopping = new AbortController()
  const round = roundOf(options, stopping.signal)
  const watch = async () => {
    while (!stopping.signal.aborted) {
      const wait = await round().catch((err) => {
        log.error({ err }, 'the folder of laboratories cannot be read')
        return AGAIN_MS
      })
      await delay(wait ?? lookMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  // Beside the rounds: one may last for minutes.
  const answer = async () => {
    while (!stopping.signal.aborted) {
      const folders = await foldersIn(settings.path).catch(() => [])
      await Promise.all(folders.map((folder) => folder.answer().catch(() => {})))
      await delay(lookMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const ended = Promise.all([watch(), answer()])
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

/** Looks at all folders once. Returns for how long to wait, if it is not the usual time. */
function roundOf(options: WatchOptions, signal: AbortSignal): () => Promise<number | undefined> {
  const { settings, log, now, quietMs = QUIET_MS, againMs = AGAIN_MS } = options
  const known = new Map<string, Map<string, { seen: Seen; sinceMs: number }>>()
  const restsUntilMs = new Map<string, number>()
  const tidiedMs = new Map<string, number>()
  const sizes = new Map<string, number>()
  const tidy = async (folder: Folder) => {
    if ((tidiedMs.get(folder.path) ?? Number.NEGATIVE_INFINITY) + againMs > performance.now()) return
    const unfinished = await folder.tidy(now(), sizes)
    tidiedMs.set(folder.path, performance.now())
    if (unfinished > 0) log.warn({ count: unfinished }, 'files of a laboratory grew after they were taken')
  }
  const look = async (folder: Folder) => {
    await tidy(folder)
    const files = (await folder.files()).map((seen) => {
      const before = known.get(folder.path)?.get(seen.path)
      return before && isUnchanged(before.seen, seen) ? before : { seen, sinceMs: performance.now() }
    })
    const still = new Map(files.map((file) => [file.seen.path, file]))
    known.set(folder.path, still)
    const quiet = files.filter(({ sinceMs }) => performance.now() - sinceMs >= quietMs)
    // The longest there first: one that failed comes after those that were not tried.
    quiet.sort((one, other) => one.sinceMs - other.sinceMs)
    for (const file of quiet.slice(0, FILES_A_TURN)) {
      if (signal.aborted) return
      file.sinceMs = performance.now() + againMs - quietMs
      const became = await take(file.seen, options, sizes)
      if (became === 'all wait') return againMs
      if (became === 'moved') still.delete(file.seen.path)
    }
    return quiet.length > FILES_A_TURN ? 0 : undefined
  }
  let last: string | undefined
  return async () => {
    const folders = await foldersIn(settings.path)
    // Where all had to wait, the others come first.
    const first = last === undefined ? 0 : folders.findIndex(({ path }) => path === last) + 1
    let next: number | undefined
    for (const folder of [...folders.slice(first), ...folders.slice(0, first)]) {
      if ((restsUntilMs.get(folder.path) ?? 0) > performance.now()) continue
      last = folder.path
      const wait = await look(folder).catch((err) => {
        // Such as one that this user may not write: the folders of others go on.
        log.error({ err }, 'a folder of a laboratory cannot be read or written')
        restsUntilMs.set(folder.path, performance.now() + againMs)
      })
      if (wait) return wait
      next = wait ?? next
    }
    return next
  }
}

const isUnchanged = (one: Seen, other: Seen) =>
  one.size === other.size && one.modifiedMs === other.modifiedMs && one.changedMs === other.changedMs

async function take(
  seen: Seen,
  { perform, log, now, settings, read = (file) => file.bytes() }: WatchOptions,
  sizes: Map<string, number>,
): Promise<'moved' | 'waits' | 'all wait'> {
  let body: Buffer | undefined
  let unread = unreadable(seen)
  if (unread === undefined) {
    try {
      body = await read(seen)
      if (!body) return 'moved'
      unread = unreadable(seen, body)
    } catch (err) {
      if (!seen.isPrivate) {
        log.error({ err }, 'a file of a laboratory cannot be read, and waits in its folder')
        return 'waits'
      }
      unread = 'Its permissions keep the service from reading it: upload it without keeping those of the original.'
    }
  }
  const { status, payload } =
    unread !== undefined || !body
      ? { status: 422, payload: JSON.stringify({ message: unread }) }
      : await perform({
          method: 'POST',
          url: takenInAt(body),
          remoteAddress: '127.0.0.1',
          headers: {
            authorization: `Token ${settings.token}`,
            'content-type': contentTypeOf(body),
            'idempotency-key': keyOf(seen, body),
            'user-agent': 'lab-folder',
          },
          body,
        })
  if (status === 401 || status === 403) {
    log.error({ statusCode: status }, 'the token of the folder of laboratories does not count, so its files wait')
    return 'all wait'
  }
  if (status === 429 || status >= 500) {
    log.warn({ statusCode: status }, 'a file of a laboratory waits in its folder, since the service could not take it')
    return status === 500 ? 'waits' : 'all wait'
  }
  // It was written to while it was read: its content is taken again, whole.
  const after = await seen.again()
  if (!after || !isUnchanged(seen, after)) return 'moved'
  const isTaken = status < 400
  const path = await seen.moveInto(isTaken ? TAKEN : REFUSED, now(), textOf(isTaken, JSON.parse(payload)))
  if (isTaken) sizes.set(path, seen.size)
  if (isTaken) log.info({ statusCode: status }, 'a file of a laboratory was taken')
  else log.warn({ statusCode: status }, 'a file of a laboratory was refused: the reason is beside it')
  return 'moved'
}

/** Why a file is refused before the route reads it. */
function unreadable({ path, size }: Seen, body?: Buffer): string | undefined {
  if (size > MAX_FILE_BYTES) return 'The file is larger than 2 MB: split it, one message or more in each.'
  if (size === 0) return 'The file is empty.'
  if (body && DOCUMENTS.some((beginning) => body.toString('latin1').startsWith(beginning)))
    return `The folder takes HL7 v2, FHIR and JSON. Upload ${basename(path)} in the dashboard, to the kit that it belongs to.`
  return undefined
}

/** Of this file, and not of the same content that is uploaded later. */
const keyOf = ({ path, modifiedMs }: Seen, body: Buffer): string =>
  createHash('sha256').update(`${path}\n${modifiedMs}\n`).update(body).digest('hex')

/** By what the file holds: names of files say little. */
function contentTypeOf(body: Buffer): string {
  const text = body.subarray(0, 64 * 1024).toString('latin1')
  if (!/^(\xef\xbb\xbf)?\s*\{/.test(text)) return 'application/hl7-v2'
  return /"resourceType"\s*:/.test(text) ? 'application/fhir+json' : 'application/json'
}

type Refused = { code?: string; message?: string; details?: { path?: string; message: string }[] }
type Answer = (Refused & { notes?: string[] }) | { controlID?: string; error?: Refused }[]

/** What a person should read beside the file; undefined: nothing. */
function textOf(isTaken: boolean, answer: Answer): string | undefined {
  if (Array.isArray(answer)) {
    const refused = answer.flatMap(({ controlID = '', error }) => (error ? `${controlID}: ${error.message}` : []))
    return refused.join('\n') || undefined
  }
  const { code, message = '', details = [], notes = [] } = answer
  if (isTaken) return notes.length > 0 ? notes.join('\n') : undefined
  const lines = details.map((one) => (one.path ? `${one.path}: ${one.message}` : one.message))
  // The message of a refusal repeats its first details.
  const rest = lines.filter((line) => !message.includes(line))
  return [[code, message].filter(Boolean).join(': '), ...rest].join('\n')
}
