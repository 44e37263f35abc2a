import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { z } from 'zod'
import type { ArchiveContents, ArchivePlan, Archives } from '../../domain/archives.ts'
import { damaged, readArchive, writeArchive } from './archive.ts'
import type { BackupKey } from './key.ts'
import { type OpenPlace, openPlace } from './place.ts'

export interface ArchiveOptions extends OpenPlace {
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
