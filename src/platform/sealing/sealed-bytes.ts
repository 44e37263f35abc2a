import type { Keyring } from './keyring.ts'
import {
  bytesOf,
  hexOf,
  openValue,
  placeOf,
  type RowKey,
  type SealedColumns,
  type SealedDeclaration,
  sealedColumns,
  sealValue,
} from './sealed-columns.ts'

/** A file or a picture, sealed as it is, apart from the other values of its row. */
export interface SealedBytes extends SealedColumns<{ bytes: Buffer }> {
  sealBytes(keys: Keyring, key: RowKey, bytes: Buffer): Buffer
  /** @throws if it was changed or belongs to another row */
  openBytes(keys: Keyring, key: RowKey, sealed: Buffer): Buffer
}

// About 0.2 ms.
const LONG_BYTES = 256 * 1024

/** A text, sealed as it is: no JSON in JSON. A long one while other work goes on. */
export interface SealedText extends SealedBytes {
  sealText(keys: Keyring, key: RowKey, text: string): Promise<Buffer>
  /** @throws if it was changed or belongs to another row */
  openText(keys: Keyring, key: RowKey, sealed: Buffer): Promise<string>
}

/** `clear`: the column that held the bytes before. */
export function sealedBytes(
  declaration: Omit<SealedDeclaration<{ bytes: Buffer }>, 'clear' | 'isDeflated'> & { clear: string },
): SealedBytes {
  const columns = sealedColumns<{ bytes: Buffer }>({ ...declaration, clear: { bytes: declaration.clear } })
  const sealBytes = (keys: Keyring, key: RowKey, bytes: Buffer) => sealValue(declaration, keys, key, bytes)
  const openBytes = (keys: Keyring, key: RowKey, sealed: Buffer) => openValue(declaration, keys, key, sealed)
  return {
    ...columns,
    sealBytes,
    openBytes,
    seal: (keys, key, { bytes }) => hexOf(sealBytes(keys, key, bytes)),
    open(keys, key, value) {
      if (typeof value === 'string') return { bytes: openBytes(keys, key, bytesOf(value)) }
      // In JSON, bytes in clear are text as well.
      const { bytes } = value as unknown as { bytes: string | null }
      return { bytes: bytesOf(bytes ?? '') }
    },
  }
}

/** `clear`: the SQL of the text that a row held before. */
export function sealedText(
  declaration: Omit<SealedDeclaration<{ bytes: Buffer }>, 'clear' | 'isDeflated'> & { clear: string },
): SealedText {
  const columns = sealedBytes({ ...declaration, clear: `convert_to((${declaration.clear})::text, 'UTF8')` })
  return {
    ...columns,
    async sealText(keys, key, text) {
      if (text.length < LONG_BYTES) return columns.sealBytes(keys, key, Buffer.from(text))
      return keys.sealInSlices(Buffer.from(text), placeOf(declaration, keys, key))
    },
    async openText(keys, key, sealed) {
      if (sealed.length < LONG_BYTES) return columns.openBytes(keys, key, sealed).toString()
      return (await keys.openInSlices(sealed, placeOf(declaration, keys, key))).toString()
    },
  }
}
