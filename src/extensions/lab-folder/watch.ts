import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../domain/errors.ts'
import type { PerformRequest } from '../../platform/http/perform-in-process.ts'
import type { Logger } from '../../platform/log.ts'
import type { Settings } from '../../settings.ts'

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

const TAKEN = 'done'
const REFUSED = 'refused'
const OWN = [TAKEN, REFUSED]
// What programs call a file while they write it, before they rename it.
const UNDER_WAY = /^\.|\.(part|partial|tmp|temp|filepart|crdownload)$|~$/i
// The beginning of the name of a moved file, as `stampOf` makes it.
const STAMP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{3})Z-/
/** Clocks of file servers differ a little. */
const CLOCK_MS = 2000
/** A file that was taken is stored, sealed, by then; here it is in clear. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000
const WHY = '.why.txt'
/** The doctor's question, whether somebody looks here: whoever looks deletes it. */
export const QUESTION = '.kitlane-doctor'

const stampOf = (at: Date): string => at.toISOString().replace(/[-:]/g, '')

export interface WatchOptions {
  settings: NonNullable<Settings['labFolder']>
  log: Logger
  perform: PerformRequest
  now: () => Date
  lookMs?: number
  quietMs?: number
  againMs?: number
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
  const ended = watch()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}

/** Looks at all folders once. Returns for how long to wait, if something other than a file prevents the next. */
function roundOf(options: WatchOptions, signal: AbortSignal): () => Promise<number | undefined> {
  const { settings, log, now, quietMs = QUIET_MS, againMs = AGAIN_MS } = options
  let known = new Map<string, { seen: Seen; sinceMs: number }>()
  const restsUntilMs = new Map<string, number>()
  const look = async (folder: string, still: typeof known) => {
    const unfinished = await tidyTaken(folder, now())
    if (unfinished > 0) log.warn({ count: unfinished }, 'files of a laboratory grew after they were taken')
    await unlink(join(folder, QUESTION)).catch(ignoreGone)
    for (const seen of await filesIn(folder)) {
      if (signal.aborted) return
      const before = known.get(seen.path)
      const sinceMs = before && isUnchanged(before.seen, seen) ? before.sinceMs : performance.now()
      still.set(seen.path, { seen, sinceMs })
      if (performance.now() - sinceMs < quietMs) continue
      const became = await take(seen, options)
      if (became === 'all wait') return againMs
      if (became === 'moved') still.delete(seen.path)
      else still.set(seen.path, { seen, sinceMs: performance.now() + againMs })
    }
  }
  return async () => {
    const still: typeof known = new Map()
    try {
      for (const folder of await foldersIn(settings.path)) {
        if ((restsUntilMs.get(folder) ?? 0) > performance.now()) continue
        const wait = await look(folder, still).catch((err) => {
          // Such as one that this user may not write: the folders of others go on.
          log.error({ err }, 'a folder of a laboratory cannot be read or written')
          restsUntilMs.set(folder, performance.now() + againMs)
        })
        if (wait !== undefined) return wait
      }
    } finally {
      known = still
    }
  }
}

const isUnchanged = (one: Seen, other: Seen) => one.size === other.size && one.modifiedMs === other.modifiedMs

async function take(
  seen: Seen,
  { perform, log, now, settings }: WatchOptions,
): Promise<'moved' | 'waits' | 'all wait'> {
  const body = seen.size > MAX_FILE_BYTES ? undefined : await bytesOf(seen)
  const unread = unreadable(seen, body)
  if (unread === undefined && !body) return 'moved'
  const { status, payload } = unread
    ? { status: 422, payload: JSON.stringify({ message: unread }) }
    : await perform({
        method: 'POST',
        url: RESULTS,
        remoteAddress: '127.0.0.1',
        headers: {
          authorization: `Token ${settings.token}`,
          'content-type': contentTypeOf(body ?? Buffer.alloc(0)),
          'idempotency-key': keyOf(seen, body ?? Buffer.alloc(0)),
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
  const after = await lookAt(seen.path)
  if (!after || !isUnchanged(seen, after)) return 'moved'
  const isTaken = status < 400
  await moveInto(isTaken ? TAKEN : REFUSED, seen, now(), textOf(isTaken, JSON.parse(payload)))
  if (isTaken) log.info({ statusCode: status }, 'a file of a laboratory was taken')
  else log.warn({ statusCode: status }, 'a file of a laboratory was refused: the reason is beside it')
  return 'moved'
}

/** Why a file is refused before the route reads it. */
function unreadable({ path, size }: Seen, body: Buffer | undefined): string | undefined {
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

type Answer = { code?: string; message?: string; details?: { path?: string; message: string }[]; notes?: string[] }

/** What a person should read beside the file; undefined: nothing. */
function textOf(isTaken: boolean, { code, message, details = [], notes = [] }: Answer): string | undefined {
  if (isTaken) return notes.length > 0 ? notes.join('\n') : undefined
  const lines = details.map((one) => (one.path ? `${one.path}: ${one.message}` : one.message))
  return [[code, message].filter(Boolean).join(': '), ...lines].join('\n')
}

/** A file as it lies there. Two that are equal have not been written to between. */
interface Seen {
  path: string
  size: number
  modifiedMs: number
}

/** The folder and those in it, one for each laboratory. Links are not followed. */
async function foldersIn(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const inner = entries.filter(
    (entry) => entry.isDirectory() && !OWN.includes(entry.name) && !UNDER_WAY.test(entry.name),
  )
  return [root, ...inner.map(({ name }) => join(root, name)).sort()]
}

/** The files of a folder that count by their name, in its order. Links are not followed. */
async function filesIn(folder: string): Promise<Seen[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && !UNDER_WAY.test(entry.name)).map(({ name }) => name)
  const seen = await Promise.all(names.sort().map((name) => lookAt(join(folder, name))))
  return seen.filter((one) => one !== undefined)
}

/** Undefined where it is gone, or is no file any more. */
async function lookAt(path: string): Promise<Seen | undefined> {
  const found = await lstat(path).catch(ignoreGone)
  return found?.isFile() ? { path, size: found.size, modifiedMs: found.mtimeMs } : undefined
}

/** Its bytes, no more than were seen; of one that a link has replaced nothing. Undefined where it is gone. */
async function bytesOf({ path, size }: Seen): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(ignoreGone)
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Moves a file into a folder beside it, with the time before its name and, if there is something to say, a text beside it. */
async function moveInto(name: typeof TAKEN | typeof REFUSED, file: Seen, at: Date, text?: string): Promise<void> {
  const folder = await ownFolder(join(file.path, '..', name))
  const path = join(folder, `${stampOf(at)}-${basename(file.path)}`)
  // A process that shares the folder may have moved it.
  await rename(file.path, path).catch(ignoreGone)
  if (text === undefined) return
  const why = await open(path + WHY, 'wx').catch(ignoreThere)
  await why?.writeFile(`${text}\n`)
  // The laboratory is another user, and in no group of the service. By the open file: its sender might have put a link there.
  await why?.chmod(0o644)
  await why?.close()
}

/**
 * Puts back what was written to after it was taken, since its sender had not finished, and deletes what was taken long ago. Returns
 * how many files came back.
 */
async function tidyTaken(folder: string, now: Date): Promise<number> {
  let unfinished = 0
  for (const { path, modifiedMs } of await movedIn(folder, TAKEN)) {
    const name = basename(path)
    const moved = movedAt(name)
    if (moved === undefined) continue
    const before = join(folder, name.replace(STAMP, ''))
    // A sender whose clock is ahead may have given it a time that is still to come.
    const isLater = modifiedMs > moved + CLOCK_MS && modifiedMs <= now.getTime()
    if (isLater && !(await lookAt(before))) {
      await rename(path, before).catch(ignoreGone)
      unfinished += 1
    } else if (now.getTime() - moved > KEPT_MS) await unlink(path).catch(ignoreGone)
  }
  return unfinished
}

/** The folders that are looked into, and how many files in them were refused, and wait for a person. */
export async function refusedIn(root: string): Promise<{ folders: string[]; refused: number }> {
  const folders = await foldersIn(root)
  const found = await Promise.all(folders.map((folder) => movedIn(folder, REFUSED)))
  return { folders, refused: found.flat().filter(({ path }) => !path.endsWith(WHY)).length }
}

/** None where a link stands in the place of the folder. */
async function movedIn(folder: string, name: typeof TAKEN | typeof REFUSED): Promise<Seen[]> {
  const path = join(folder, name)
  return (await lstat(path).catch(ignoreGone))?.isDirectory() ? filesIn(path) : []
}

function movedAt(name: string): number | undefined {
  const [, ...parts] = STAMP.exec(name) ?? []
  const [year, month, day, hour, minute, second, ms] = parts.map(Number)
  if (year === undefined || month === undefined) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second, ms)
}

/** A sender who may write here could put a link in its place, to have files moved elsewhere. */
async function ownFolder(path: string): Promise<string> {
  await mkdir(path, { mode: 0o770 }).catch(ignoreThere)
  if (!(await lstat(path)).isDirectory()) throw new Error('a link stands where the folder of moved files belongs')
  return path
}

const ignoring =
  (...codes: string[]) =>
  (err: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(err.code ?? '')) throw err
  }
// ELOOP: a link.
const ignoreGone = ignoring('ENOENT', 'ELOOP')
const ignoreThere = ignoring('EEXIST')
