import { createReadStream, createWriteStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { StartError } from '../../domain/errors.ts'
import type { Egress } from '../egress/client.ts'
import { EgressError } from '../egress/errors.ts'
import { makeFolder } from '../key-file.ts'
import type { S3, S3Settings } from './s3.ts'

/** A backup that lies somewhere. */
export interface StoredBackup {
  /** The path of a file, or s3://bucket/key. */
  location: string
  bytes: number
  at: Date
}

/** Where backups lie: one file, or a folder of them, here or in a bucket. */
export interface Place {
  /** The location of the backup with this name; of the file itself, if the place is one. */
  at(name: string): string
  /** Appears under its name as a whole, or not at all. */
  write(location: string, bytes: Readable): Promise<void>
  read(location: string): Promise<Readable>
  /** Says at once that a file is not there; a bucket says it when it is read. @throws StartError */
  assertThere(location: string): Promise<void>
  /** Backups by their names, the newest first. */
  list(): Promise<StoredBackup[]>
  remove(location: string): Promise<void>
}

const NAME = /^kitlane-\d{8}T\d{6}Z\.tar\.zst\.age$/

export interface OpenPlace {
  s3: S3Settings | undefined
  egress: Egress
}

/** Opens a path, a file:// URL or s3://bucket/key. What ends with / and what is a folder holds many backups. */
export async function openPlace(where: string, { s3, egress }: OpenPlace): Promise<Place> {
  if (!where.startsWith('s3://')) return folderOrFile(where.startsWith('file://') ? fileURLToPath(where) : where)
  if (!s3) {
    throw new StartError(
      'Backups in s3:// need AWS_REGION, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and BACKUP_ENDPOINT_URL where it is not AWS. For example: AWS_REGION=eu-central-1',
    )
  }
  const [, bucket = '', key = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)\/?(.*)$/.exec(where) ?? []
  if (!bucket) throw new StartError(`${where} names no bucket. For example: s3://backups/kitlane/`)
  // Loaded only where it is used: the SDK is large.
  const { openS3 } = await import('./s3.ts')
  return inBucket(bucket, key, openS3(bucket, s3, egress))
}

async function folderOrFile(text: string): Promise<Place> {
  const path = resolve(text)
  const isFolder = /[/\\]$/.test(text) || ((await stat(path).catch(() => undefined))?.isDirectory() ?? false)
  const folder = isFolder ? path : dirname(path)
  return {
    at: (name) => (isFolder ? join(folder, name) : path),
    async write(location, bytes) {
      const draft = `${location}.part`
      try {
        makeFolder(folder, 0o700)
        await pipeline(bytes, createWriteStream(draft, { mode: 0o600, flush: true }))
        await rename(draft, location)
        await syncFolder(folder)
      } catch (cause) {
        await rm(draft, { force: true }).catch(() => {})
        throw refused(cause, `The backup cannot be written to ${location}`) ?? cause
      }
    },
    assertThere,
    async read(location) {
      await assertThere(location)
      return createReadStream(location, { highWaterMark: 256 * 1024 })
    },
    async list() {
      const names = (await readdir(folder).catch(() => [])).filter((name) => NAME.test(name)).sort()
      const stored = await Promise.all(
        names.map(async (name) => {
          const location = join(folder, name)
          const { size, mtime } = await stat(location)
          return { location, bytes: size, at: mtime }
        }),
      )
      return stored.reverse()
    },
    remove: (location) => rm(location, { force: true }),
  }
}

async function assertThere(location: string): Promise<void> {
  const found = await stat(location).catch((cause: unknown) => {
    throw refused(cause, `The backup ${location} cannot be read`) ?? cause
  })
  if (!found.isFile()) throw new StartError(`${location} is no file. Name the file of the backup.`)
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file where the folder should be',
  ENOTDIR: 'a part of the path is no folder',
  EDQUOT: 'the quota of this user is used up',
}

function refused(cause: unknown, what: string): StartError | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return reasons[code] === undefined
    ? undefined
    : new StartError(`${what}: ${reasons[code]} (${code}). Name another place.`, { cause })
}

function refusedByBucket(cause: unknown, what: string): StartError | undefined {
  const { name, $metadata } = cause as { name?: string; $metadata?: { httpStatusCode?: number } }
  const status = $metadata?.httpStatusCode
  if (status === 403)
    return new StartError(
      `${what} (${name}). Check the name, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and what they may do.`,
      { cause },
    )
  if (status === 404)
    return new StartError(`${what} (${name}). Check the name of the bucket and of the backup.`, { cause })
  if (cause instanceof EgressError)
    return new StartError(`${what}: ${cause.message}. Check BACKUP_ENDPOINT_URL, AWS_REGION, and the network.`, {
      cause,
    })
  return undefined
}

function inBucket(bucket: string, key: string, s3: S3): Place {
  const isFolder = key === '' || key.endsWith('/')
  const prefix = isFolder ? key : key.slice(0, key.length - basename(key).length)
  const keyOf = (location: string) => location.slice(`s3://${bucket}/`.length)
  const explained = async <T>(what: string, work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (cause) {
      throw refusedByBucket(cause, what) ?? cause
    }
  }
  return {
    at: (name) => `s3://${bucket}/${isFolder ? prefix + name : key}`,
    write: (location, bytes) => explained(`The bucket refuses ${location}`, s3.write(keyOf(location), bytes)),
    assertThere: async () => {},
    read: (location) => explained(`The bucket does not give ${location}`, s3.read(keyOf(location))),
    async list() {
      const found = await explained(`The bucket ${bucket} cannot be listed`, s3.list(prefix))
      return found
        .filter(({ key: one }) => NAME.test(one.slice(prefix.length)))
        .map(({ key: one, bytes, at }) => ({ location: `s3://${bucket}/${one}`, bytes, at }))
        .sort((a, b) => (a.location < b.location ? 1 : -1))
    },
    remove: (location) => explained(`The bucket does not remove ${location}`, s3.remove(keyOf(location))),
  }
}
