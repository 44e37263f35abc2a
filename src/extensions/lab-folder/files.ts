import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

export const TAKEN = 'done'
export const REFUSED = 'refused'
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
/** What file systems allow is 255, less the time before the name and `.why.txt` behind it. */
const NAME_BYTES = 226
/** The doctor's question, whether somebody looks here: whoever looks deletes it. */
export const QUESTION = '.kitlane-doctor'

const stampOf = (at: Date): string => at.toISOString().replace(/[-:]/g, '')

/** A file as it lies there. Two that are equal have not been written to between. */
export interface Seen {
  path: string
  /** How the system is asked for it: in its own bytes where its name is not UTF-8. */
  at: string | Buffer
  size: number
  modifiedMs: number
  changedMs: number
  /** Whether its permissions shut out everybody but its owner. */
  isPrivate: boolean
  /** No more than were seen, and none of a link that has replaced it; undefined where it is gone. */
  bytes(): Promise<Buffer | undefined>
  /** As it lies there now; undefined where it is gone, or is no file any more. */
  again(): Promise<Seen | undefined>
  /**
   * Moves it into a folder beside it, with the time before its name and, if there is something to say, a text beside it.
   * Returns where it is.
   */
  moveInto(name: typeof TAKEN | typeof REFUSED, now: Date, text?: string): Promise<string>
}

export interface Folder {
  path: string
  /** Those that count by their name, in its order. */
  files(): Promise<Seen[]>
  /**
   * Puts back what was written to after it was taken, since its sender had not finished, and deletes what was taken long ago.
   * Returns how many files came back.
   *
   * @param sizes of what this process moved: some senders set an old time when they end
   */
  tidy(now: Date, sizes: Map<string, number>): Promise<number>
  /** Answers the doctor's question, by its absence. */
  answer(): Promise<void>
  /** How many files were refused, and wait for a person. */
  refused(): Promise<number>
}

/** The folder and those in it, one for each laboratory. Links are not followed. */
export async function foldersIn(root: string): Promise<Folder[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const inner = entries.filter(
    (entry) => entry.isDirectory() && !OWN.includes(entry.name) && !UNDER_WAY.test(entry.name),
  )
  return [root, ...inner.map(({ name }) => join(root, name)).sort()].map((path) => ({
    path,
    files: () => filesIn(path),
    tidy: (now, sizes) => tidyTaken(path, now, sizes),
    answer: () => answerIn(path),
    refused: () => refusedIn(path),
  }))
}

async function filesIn(folder: string): Promise<Seen[]> {
  const names = await readdir(folder, { encoding: 'buffer' })
  const found = await Promise.all(names.map((name) => seenIn(folder, name)))
  return found.filter((one) => one !== undefined).sort((one, other) => (one.path < other.path ? -1 : 1))
}

function seenIn(folder: string, bytes: Buffer): Promise<Seen | undefined> {
  // Older programs send names in Latin-1.
  const name = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  if (UNDER_WAY.test(name)) return Promise.resolve(undefined)
  const path = join(folder, name)
  return lookAt({ path, at: isUtf8(bytes) ? path : Buffer.concat([Buffer.from(`${folder}/`), bytes]) })
}

async function lookAt({ path, at }: Pick<Seen, 'path' | 'at'>): Promise<Seen | undefined> {
  const found = await lstat(at).catch(ignoreGone)
  if (!found?.isFile()) return undefined
  const { size, mtimeMs: modifiedMs, ctimeMs: changedMs, mode } = found
  const seen: Seen = {
    path,
    at,
    size,
    modifiedMs,
    changedMs,
    isPrivate: (mode & 0o077) === 0,
    bytes: () => bytesOf(seen),
    again: () => lookAt(seen),
    moveInto: (name, now, text) => moveInto(seen, name, now, text),
  }
  return seen
}

async function bytesOf({ at, size }: Seen): Promise<Buffer | undefined> {
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(ignoreGone)
  if (!file) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function moveInto(file: Seen, name: typeof TAKEN | typeof REFUSED, now: Date, text?: string): Promise<string> {
  const folder = await ownFolder(join(file.path, '..', name))
  const path = join(folder, `${stampOf(now)}-${shortened(basename(file.path))}`)
  // The reason first: on a full disk the file stays, rather than be refused without one.
  if (text !== undefined) await writeReason(path + WHY, text)
  // A process that shares the folder may have moved it.
  const isMoved = await rename(file.at, path).then(() => true, ignoreGone)
  if (!isMoved && text !== undefined) await unlink(path + WHY).catch(ignoreGone)
  return path
}

const shortened = (name: string): string =>
  Buffer.byteLength(name) > NAME_BYTES
    ? Buffer.from(name)
        .subarray(0, NAME_BYTES)
        .toString()
        .replace(/\ufffd+$/, '')
    : name

async function writeReason(path: string, text: string): Promise<void> {
  const why = await open(path, 'wx').catch(ignoreThere)
  try {
    await why?.writeFile(`${text}\n`)
    // The laboratory is another user, and in no group of the service. By the open file: its sender might have put a link there.
    await why?.chmod(0o644)
  } catch (err) {
    await unlink(path).catch(ignoreGone)
    throw err
  } finally {
    await why?.close()
  }
}

async function tidyTaken(folder: string, now: Date, sizes: Map<string, number>): Promise<number> {
  let unfinished = 0
  for (const { path, at, size, modifiedMs } of await movedIn(folder, TAKEN)) {
    const name = basename(path)
    const moved = movedAt(name)
    if (moved === undefined) continue
    const before = join(folder, name.replace(STAMP, ''))
    // A sender whose clock is ahead may have given it a time that is still to come.
    const isLater = modifiedMs > moved + CLOCK_MS && modifiedMs <= now.getTime()
    const hasGrown = size !== (sizes.get(path) ?? size)
    if ((isLater || hasGrown) && !(await lstat(before).catch(ignoreGone))) {
      await rename(at, before).catch(ignoreGone)
      unfinished += 1
    } else if (now.getTime() - moved > KEPT_MS) await unlink(at).catch(ignoreGone)
    else continue
    sizes.delete(path)
  }
  return unfinished
}

// A folder of that name is no question.
const answerIn = (folder: string): Promise<void> =>
  unlink(join(folder, QUESTION)).catch(ignoring('ENOENT', 'EISDIR', 'EPERM'))

const refusedIn = async (folder: string): Promise<number> =>
  (await movedIn(folder, REFUSED)).filter(({ path }) => !path.endsWith(WHY)).length

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
  const isNew = await mkdir(path, { mode: 0o770 }).then(() => true, ignoreThere)
  if (!(await lstat(path)).isDirectory()) throw new Error('a link stands where the folder of moved files belongs')
  if (isNew) await letSenderIn(path)
  return path
}

/** The sender owns the folder around it, which shuts out others, and is in no group of the service. */
async function letSenderIn(path: string): Promise<void> {
  if (((await lstat(dirname(path))).mode & 0o007) !== 0) return
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  await folder.chmod(0o775).finally(() => folder.close())
}

const ignoring =
  (...codes: string[]) =>
  (err: NodeJS.ErrnoException): undefined => {
    if (!codes.includes(err.code ?? '')) throw err
  }
// ELOOP: a link.
const ignoreGone = ignoring('ENOENT', 'ELOOP')
const ignoreThere = ignoring('EEXIST')
