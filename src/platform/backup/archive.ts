import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { StartError } from '../../domain/errors.ts'
import { type BackupKey, decrypter, encrypter } from './key.ts'

/** One entry of an archive as it is read. All of its content is taken before the next one. */
export interface Entry {
  name: string
  size: number
  content: AsyncIterable<Buffer>
}

/** Adds entries to an archive. */
export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>
}

/**
 * Writes a tar archive, compressed with zstd and encrypted by age, to `store`: `age -d | zstd -d | tar x` opens it without
 * Kitlane. Nothing is kept in memory but the entry that is added.
 */
export async function writeArchive(
  key: BackupKey,
  store: (bytes: Readable) => Promise<void>,
  work: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const tar = pack()
  const zstd = createZstdCompress()
  const encrypts = await encrypter(key)
  const encrypted = await encrypts.encrypt(Readable.toWeb(zstd) as ReadableStream<Uint8Array>)
  const bytes = Readable.fromWeb(encrypted as WebStream)
  // The promises below reject for those who wait; a stream that nobody listens to would end the process.
  for (const stream of [tar, zstd, bytes]) stream.on('error', () => {})
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})
  pipeline(tar, zstd).catch(reject)
  const stored = store(bytes)
  stored.catch(reject)
  const added = (fill: (done: (err?: Error | null) => void) => void) =>
    Promise.race([failed, new Promise<void>((resolve, no) => fill((err) => (err ? no(err) : resolve())))])
  try {
    await work({
      add: (name, content) => added((done) => void tar.entry({ name }, content, done).on('error', () => {})),
    })
    tar.finalize()
    await stored
  } catch (err) {
    tar.destroy(err as Error)
    zstd.destroy(err as Error)
    // It fails for the same reason, which is thrown.
    await stored.catch(() => {})
    throw err
  }
}

/** Reads an archive. @throws StartError with what to do, if the key is another one or the file is not as it was written */
export async function* readArchive(key: BackupKey, bytes: Readable, name: string): AsyncGenerator<Entry> {
  const decrypts = await decrypter(key)
  const source = Readable.toWeb(bytes) as ReadableStream<Uint8Array>
  const opened = await decrypts.decrypt(source).catch((cause: Error) => {
    bytes.destroy()
    throw refusal(name, cause)
  })
  const tar = extract()
  const flow = pipeline(Readable.fromWeb(opened as WebStream), createZstdDecompress(), tar)
  flow.catch((err: Error) => tar.destroy(err))
  // What breaks while an entry is read reaches its reader, and not the loop below.
  async function* explained(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      yield* content
    } catch (cause) {
      throw isDamage(cause) ? damaged(name, cause) : cause
    }
  }
  try {
    for await (const entry of tar) {
      const { name: path, size = 0 } = entry.header
      if (!isWithin(path)) throw strange(name)
      yield { name: path, size, content: explained(entry as AsyncIterable<Buffer>) }
    }
    await flow
  } catch (cause) {
    if (cause instanceof StartError || !isDamage(cause)) throw cause
    throw damaged(name, cause)
  } finally {
    tar.destroy()
    bytes.destroy()
    await flow.catch(() => {})
  }
}

/** Whether a name stays within the folder that it is written to, on every system. */
const isWithin = (path: string): boolean =>
  !/[\\\0]|^[A-Za-z]:/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))

const strange = (name: string): StartError =>
  new StartError(
    `${name} holds a file whose name leads outside of its folder, which no backup of Kitlane does: nothing of it was restored. Find out where it comes from, and take another backup.`,
  )

/** Reading errors of zlib, tar and age; those of the database have an SQLSTATE. */
const isDamage = (cause: unknown) =>
  !(cause instanceof Error && 'code' in cause && /^(E[A-Z]+|[0-9A-Z]{5})$/.test(String(cause.code)))

export const damaged = (name: string, cause?: unknown): StartError =>
  new StartError(
    `${name} is damaged or cut short: nothing of it was restored. Copy it again from where it is kept, or take another backup.`,
    { cause },
  )

function refusal(name: string, cause: Error): Error {
  if (cause instanceof StartError) return cause
  if (/no identity matched/.test(cause.message)) {
    return new StartError(
      `${name} was encrypted for another key. Set BACKUP_KEY to the secret key (AGE-SECRET-KEY-1…) that was in use when it was made, or put that backup.key into the data folder.`,
      { cause },
    )
  }
  if (!isDamage(cause)) return cause
  return new StartError(
    `${name} is no backup of Kitlane, or its beginning is damaged. Copy it again from where it is kept, or take another backup.`,
    { cause },
  )
}
