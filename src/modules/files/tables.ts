import type { SealedBytes } from '../../platform/sealing/sealed-bytes.ts'
import { sealedPages } from '../lab/review/sealed-queries.ts'
import { sealedContents } from '../lab/sealed-queries.ts'

/** Every table whose rows refer to a file, by their column `file`. Versions before kept the bytes in the row. */
export const tablesOfFiles: readonly SealedBytes[] = [sealedContents, sealedPages]
