import { Transform } from 'node:stream'
import type { BackupSchedule, Backups } from '../../domain/backups.ts'
import type { FileStore } from '../../domain/file-store.ts'
import type { KeyProvider } from '../sealing/key-provider.ts'
import { readArchive, writeArchive } from './archive.ts'
import { checkEntries } from './check.ts'
import { dump } from './dump.ts'
import type { BackupKey } from './key.ts'
import { type Manifest, summaryOf } from './manifest.ts'
import { type OpenPlace, openPlace } from './place.ts'
import { createSigner } from './signature.ts'

export interface BackupOptions extends OpenPlace {
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
