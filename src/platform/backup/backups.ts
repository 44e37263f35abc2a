import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { z } from 'zod'
import type { ArchiveContents, ArchivePlan, Archives } from '../../domain/archives.ts'
import type { BackupSchedule, Backups } from '../../domain/backups.ts'
import type { FileStore } from '../../domain/file-store.ts'
import type { KeyProvider } from '../sealing/key-provider.ts'
import { damaged, type Entry, readArchive, writeArchive } from './archive.ts'
import { dump } from './dump.ts'
import type { BackupKey } from './key.ts'
import { Head, Manifest, summaryOf } from './manifest.ts'
import { type OpenPlace, openPlace } from './place.ts'
import { createSigner, HEAD_SIGNATURE, MANIFEST_SIGNATURE, type SignatureState, signatureReader } from './signature.ts'

const TEXTS = ['head.json', HEAD_SIGNATURE, 'manifest.json', MANIFEST_SIGNATURE]

/** Reads a backup to its end and compares every part with its manifest. @throws StartError if it is damaged */
export async function checkEntries(
  entries: AsyncIterable<Entry>,
  name: string,
  provider: KeyProvider,
): Promise<{ head: Head; manifest: Manifest; signature: SignatureState }> {
  const texts = new Map<string, Buffer>()
  const hashes = new Map<string, ReturnType<typeof createHash>>()
  for await (const { name: path, content } of entries) {
    const isText = TEXTS.includes(path)
    const text: Buffer[] = []
    // The parts of a table have a number at their end.
    const whole = path.startsWith('files/') ? path : path.slice(0, path.lastIndexOf('/'))
    const hash = hashes.get(whole) ?? createHash('sha256')
    if (!isText) hashes.set(whole, hash)
    for await (const chunk of content) {
      if (isText) text.push(chunk)
      else hash.update(chunk)
    }
    if (isText) texts.set(path, Buffer.concat(text))
  }
  const [headText, manifestText] = [texts.get('head.json'), texts.get('manifest.json')]
  if (!headText || !manifestText) throw damaged(name)
  const head = Head.parse(JSON.parse(headText.toString()))
  const manifest = Manifest.parse(JSON.parse(manifestText.toString()))
  const none = createHash('sha256').digest('hex')
  const digests = new Map([...hashes].map(([path, hash]) => [path, hash.digest('hex')]))
  const is = (path: string, sha256: string) => (digests.get(path) ?? none) === sha256
  const isWhole =
    manifest.tables.every((table) => is(`tables/${table.name}`, table.sha256)) &&
    is('jobs', manifest.jobs.sha256) &&
    manifest.files.every((file) => is(`files/${file.path}`, file.sha256))
  if (!isWhole) throw damaged(name)
  const reader = signatureReader(provider)
  const states = [
    await reader.verify(headText, texts.get(HEAD_SIGNATURE)),
    await reader.verify(manifestText, texts.get(MANIFEST_SIGNATURE)),
  ]
  const signature = states.find((state) => state === 'wrong') ?? states.find((state) => state === 'none') ?? 'valid'
  return { head, manifest, signature }
}

interface BackupOptions extends OpenPlace {
  /** Past any pooler. */
  url: string
  /** Asked when a backup is made, so that a key is made only then. */
  key(): Promise<BackupKey>
  /** The master key, which signs. */
  provider: KeyProvider
  /** The files that are no part of the database. */
  files: FileStore
  release: string
  schedule: BackupSchedule | undefined
}

/** The name of a backup that began at this time, UTC. Names sort by time. */
const nameAt = (at: Date): string => `kitlane-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar.zst.age`

/** The backups of one installation. */
export function createBackups(options: BackupOptions): Backups {
  const { url, key, provider, files, release, schedule } = options
  return {
    schedule,
    async make({ to, at, signal, progress }) {
      const place = await openPlace(to, options)
      const location = place.at(nameAt(at))
      let bytes = 0
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          bytes += chunk.length
          next(null, chunk)
        },
      })
      // The code that stores the backup reports the error.
      counting.on('error', () => {})
      let manifest: Manifest | undefined
      const signer = await createSigner(provider)
      await writeArchive(
        await key(),
        (stream) => {
          stream.on('error', (err) => counting.destroy(err))
          return place.write(location, stream.pipe(counting))
        },
        async (writer) => {
          manifest = await dump({ url, files, release, signer, signal, progress }, writer)
        },
      )
      if (!manifest) throw new Error('the backup has no manifest')
      return { location, bytes, ...summaryOf(manifest) }
    },
    async check(location) {
      const known = await key()
      if (known.secretKey === undefined) return false
      const place = await openPlace(location, options)
      await checkEntries(readArchive(known, await place.read(location), location), location, provider)
      return true
    },
    list: async (where) => (await openPlace(where, options)).list(),
    remove: async (location) => (await openPlace(location, options)).remove(location),
  }
}

interface ArchiveOptions extends OpenPlace {
  /** That of backups. */
  key(): Promise<BackupKey>
  plan: ArchivePlan | undefined
}

const Contents = z.object({
  kind: z.string(),
  made: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), sha256: z.string() })),
})

const nameOf = (kind: string, at: Date) =>
  `kitlane-archive-${kind}-${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.tar.zst.age`

/** Archives in a folder or in object storage: tar, zstd, age, as backups are. */
export function createArchives(options: ArchiveOptions): Archives {
  const { key, plan } = options
  return {
    plan,
    async write({ to, kind, at, signal }, fill) {
      const place = await openPlace(to, options)
      const location = place.at(nameOf(kind, at))
      const whole = createHash('sha256')
      let bytes = 0
      const counting = new Transform({
        transform(chunk: Buffer, _encoding, next) {
          whole.update(chunk)
          bytes += chunk.length
          next(null, chunk)
        },
      })
      // The code that stores the archive reports the error.
      counting.on('error', () => {})
      await writeArchive(
        await key(),
        (stream) => {
          stream.on('error', (err) => counting.destroy(err))
          return place.write(location, stream.pipe(counting))
        },
        async (writer) => {
          const tables = new Map<string, { rows: number; parts: number; hash: ReturnType<typeof createHash> }>()
          await fill(async (name, rows) => {
            signal?.throwIfAborted()
            const table = tables.get(name) ?? { rows: 0, parts: 0, hash: createHash('sha256') }
            tables.set(name, table)
            if (rows.length === 0) return
            const content = Buffer.from(`${rows.join('\n')}\n`)
            table.hash.update(content)
            table.rows += rows.length
            await writer.add(`tables/${name}/${String(table.parts++).padStart(6, '0')}`, content)
          })
          const counted = [...tables].map(([name, { rows, hash }]) => ({ name, rows, sha256: hash.digest('hex') }))
          const contents: ArchiveContents = { kind, made: at.toISOString(), tables: counted }
          await writer.add('manifest.json', Buffer.from(`${JSON.stringify(contents, null, 1)}\n`))
        },
      )
      return { location, bytes, sha256: whole.digest() }
    },
    async isSame(location, sha256) {
      const hash = createHash('sha256')
      const bytes = await (await openPlace(location, options)).read(location)
      for await (const chunk of bytes) hash.update(chunk as Buffer)
      return hash.digest().equals(sha256)
    },
    async open(location) {
      const found = await key()
      if (found.secretKey === undefined) return undefined
      const hashes = new Map<string, ReturnType<typeof createHash>>()
      let contents: ArchiveContents | undefined
      const bytes = await (await openPlace(location, options)).read(location)
      for await (const { name, content } of readArchive(found, bytes, location)) {
        const chunks: Buffer[] = []
        for await (const chunk of content) chunks.push(chunk)
        const text = Buffer.concat(chunks)
        const [, table = ''] = name.split('/')
        if (name === 'manifest.json') contents = Contents.parse(JSON.parse(text.toString()))
        else hashes.set(table, (hashes.get(table) ?? createHash('sha256')).update(text))
      }
      if (!contents) throw damaged(location)
      const none = createHash('sha256').digest('hex')
      const digests = new Map([...hashes].map(([name, hash]) => [name, hash.digest('hex')]))
      if (contents.tables.some(({ name, sha256 }) => (digests.get(name) ?? none) !== sha256)) throw damaged(location)
      return contents
    },
  }
}
