import { AppError } from '../../domain/errors.ts'
import { type FileStore, FileStoreError } from '../../domain/file-store.ts'
import { randomBase62 } from '../../domain/ids.ts'
import { keyIdOf, sha256 } from '../crypto.ts'
import type { SealedBytes } from '../sealing/sealed-bytes.ts'
import { placeOf, type RowKey } from '../sealing/sealed-columns.ts'
import type { Vault } from '../sealing/vault.ts'
import type { FileRef, WrittenFile } from './queries.ts'

/** What a row holds: bytes, as versions before kept them, or a file of the store. */
export type Content = Buffer | FileRef

/** Files of one realm, sealed with its keys and bound to the row that refers to them. Never within a transaction. */
export interface RealmFiles {
  /** Seals and writes a file for a row that will be written. One that gets no row is deleted after a day. @throws OVERLOADED */
  keep(columns: SealedBytes, key: RowKey, bytes: Buffer): Promise<WrittenFile>
  /** @throws OVERLOADED; Error if the file was changed */
  contentOf(columns: SealedBytes, key: RowKey, content: Content): Promise<Buffer>
}

/** The random part of a name has 143 bits. */
const nameOn = (day: Date) => `${day.toISOString().slice(0, 10)}/${randomBase62(24)}`

export function realmFiles(
  store: FileStore,
  { vault, realmId, now }: { vault: Vault; realmId: number; now(): Date },
): RealmFiles {
  return {
    async keep(columns, key, bytes) {
      const keys = await vault.of(realmId)
      const sealed = await keys.sealInSlices(bytes, placeOf(columns.declaration, keys, key))
      const name = nameOn(now())
      await answered(store.write(name, sealed))
      const dataKey = keyIdOf(sealed).readInt32BE()
      return { name, sha256: sha256(sealed).toString('hex'), bytes: sealed.length, dataKey }
    },
    async contentOf(columns, key, content) {
      if (Buffer.isBuffer(content)) return content
      const sealed = await answered(store.read(content.name))
      if (sha256(sealed).toString('hex') !== content.sha256) throw new Error(`the file ${content.name} was changed`)
      const keys = await vault.of(realmId)
      return keys.openInSlices(sealed, placeOf(columns.declaration, keys, key))
    },
  }
}

async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (err) {
    if (err instanceof FileStoreError && err.full)
      throw new AppError(
        'STORAGE_FULL',
        'There is no space for files. Nothing was stored; the operator has to free space',
        {
          cause: err,
        },
      )
    if (err instanceof FileStoreError && !err.missing)
      throw new AppError('OVERLOADED', 'The files cannot be reached now, try again in a moment', { cause: err })
    throw err
  }
}
