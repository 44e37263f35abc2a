import type { BackupProgress } from '../domain/backups.ts'
import type { FileStore } from '../domain/file-store.ts'
import { type Proof, proveRestored } from '../modules/backups/prove.ts'
import { readArchive } from '../platform/backup/archive.ts'
import { checkEntries } from '../platform/backup/backups.ts'
import { assertEmpty, load } from '../platform/backup/load.ts'
import { type Head, type Summary, summaryOf } from '../platform/backup/manifest.ts'
import { openPlace } from '../platform/backup/place.ts'
import type { SignatureState } from '../platform/backup/signature.ts'
import type { DatabaseUrls } from '../platform/database/connect.ts'
import type { Actor } from '../platform/database/tx.ts'
import { createEgress } from '../platform/egress/client.ts'
import type { Logger } from '../platform/log.ts'
import type { KeyProvider } from '../platform/sealing/key-provider.ts'
import type { Settings } from '../settings.ts'
import { prepareDatabase } from './app.ts'
import { backupBucketOf } from './aws.ts'
import { openDatabase, openKeyProvider } from './open.ts'
import { backupKeyToOpen, masterKeysOf, openStore } from './ports.ts'

export interface OpenedBackup {
  location: string
  entries(): Promise<ReturnType<typeof readArchive>>
  /** Where the settings keep files: a restore fills it. */
  files(): Promise<FileStore>
  /** The master key, which signs backups. */
  provider: KeyProvider
  /** Reads all of it. @throws StartError if it is damaged */
  check(): Promise<Pick<Head, 'takenAt' | 'release' | 'schemaVersion'> & Summary & { signature: SignatureState }>
  close(): Promise<void>
}

/** Opens a backup for reading, with the key of the settings or of the data folder. */
export async function openBackup(
  from: string,
  { settings, log }: { settings: Settings; log: Logger },
): Promise<OpenedBackup> {
  const egress = createEgress({ allowLoopback: false, log })
  const place = await openPlace(from, { s3: backupBucketOf(settings), egress })
  const location = place.at('')
  await place.assertThere(location)
  const key = await backupKeyToOpen(settings)
  const provider = await openKeyProvider(settings, egress)
  const entries = async () => readArchive(key, await place.read(location), location)
  return {
    location,
    entries,
    files: () => openStore(settings, egress),
    provider,
    async check() {
      const { head, manifest, signature } = await checkEntries(await entries(), location, provider)
      const { takenAt, release, schemaVersion } = head
      return { takenAt, release, schemaVersion, ...summaryOf(manifest), signature }
    },
    close: () => egress.close(),
  }
}

export interface RestoreOptions {
  urls: DatabaseUrls
  settings: Settings
  actor: Actor
  /** Anyone who restores vouches for a backup that is not signed by this installation's key. */
  allowUnsigned: boolean
  progress?: (now: BackupProgress) => void
}

export interface Restored {
  head: Head
  proofs: Proof[]
}

/** Restores into an empty database, brings its schema to this release, and proves what is there. */
export async function restoreFrom(backup: OpenedBackup, options: RestoreOptions): Promise<Restored> {
  const { urls, settings, allowUnsigned, progress } = options
  await assertEmpty(urls.owner)
  const { head, compared } = await load(
    {
      name: backup.location,
      ownerUrl: urls.owner,
      files: await backup.files(),
      keys: masterKeysOf(settings).map(({ id }) => id.toString('hex')),
      provider: backup.provider,
      allowUnsigned,
      progress,
    },
    await backup.entries(),
  )
  await prepareDatabase(urls)
  return { head, proofs: [...compared, ...(await proofsOf(options))] }
}

async function proofsOf({ urls, settings, actor }: RestoreOptions): Promise<Proof[]> {
  const { database, close } = await openDatabase(urls, { settings })
  try {
    return await proveRestored(database, actor)
  } finally {
    await close()
  }
}
