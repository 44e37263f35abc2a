import { type RawBuilder, sql } from 'kysely'
import { newOpaqueId } from '../../domain/ids.ts'
import { SEAL_BYTES } from '../../platform/crypto.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type FileRef, fileOf, fileSize, insertFile, type WrittenFile } from '../../platform/files/queries.ts'
import type { Content } from '../../platform/files/sealed-files.ts'
import { timeOf } from '../../platform/http/fields.ts'
import { keyringOf } from '../../platform/sealing/sealed-columns.ts'
import { sealedContents, sealedData, sealedFileNames } from './sealed-queries.ts'

export type DataKind = 'quiz' | 'test' | 'file'

/** Stores data as it was sent. */
export async function insertData(
  tx: Tx,
  data: { customerId: number; kind: DataKind; date: string; payload: unknown },
): Promise<string> {
  const id = newOpaqueId('data')
  const sealed = sealedData.seal(await keyringOf(tx), [id], { payload: data.payload })
  await tx.run(sql`
    insert into customer_data (realm_id, id, customer_id, kind, date, given_at, sealed, created_at)
    values (${tx.realm.id}, ${id}, ${data.customerId}, ${data.kind}, ${data.date.slice(0, 10)},
      ${timeOf(data.date)}, ${sealed}, ${tx.now})`)
  return id
}

/** A file that was written to the store, and the ID of the document that it is bound to. */
export interface KeptDocument {
  id: string
  mediaType: string
  file: WrittenFile
}

export async function insertDocument(
  tx: Tx,
  { dataId, fileName, id, mediaType, file }: KeptDocument & { dataId: string; fileName?: string },
): Promise<void> {
  const keys = await keyringOf(tx)
  await insertFile(tx, file)
  const sealed = fileName === undefined ? null : sealedFileNames.seal(keys, [id], { fileName })
  await tx.run(sql`
    insert into documents (realm_id, id, data_id, media_type, sealed, file, created_at)
    values (${tx.realm.id}, ${id}, ${dataId}, ${mediaType}, ${sealed}, ${file.name}, ${tx.now})`)
}

export interface StoredFile {
  dataId: string
  docId: string
  customerId: number
  date: string
  /** Opened by the files of the realm. */
  content: Content
}

// PostgreSQL sends bytes as hexadecimal digits: decoding many MB of them would hold up other requests for 100 ms.
const PIECE_BYTES = 256 * 1024

export async function selectFile(tx: Tx, dataId: string): Promise<StoredFile | undefined> {
  const file = await tx.maybeRow(sql<
    Omit<StoredFile, 'content'> & { file: FileRef | null; length: number; isSealed: boolean }
  >`
    select d.id as "dataId", o.id as "docId", d.customer_id as "customerId",
      coalesce(d.given_at, d.date::text) as date, ${fileOf('o')} as file, octet_length(coalesce(o.sealed_content, o.content)) as length,
      o.sealed_content is not null as "isSealed"
    from customer_data d join documents o on o.realm_id = d.realm_id and o.data_id = d.id
    where d.realm_id = ${tx.realm.id} and d.id = ${dataId}`)
  if (!file) return undefined
  const { length, isSealed, file: stored, ...rest } = file
  if (stored) return { ...rest, content: stored }
  const bytes = Buffer.concat(await readPieces(tx, file.docId, length))
  return { ...rest, content: isSealed ? sealedContents.openBytes(await keyringOf(tx), [file.docId], bytes) : bytes }
}

async function readPieces(tx: Tx, docId: string, length: number): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  for (let from = 1; from <= length; from += PIECE_BYTES) {
    const { piece } = await tx.row(sql<{ piece: Buffer }>`
      select substring(coalesce(sealed_content, content) from ${from}::int for ${PIECE_BYTES}::int) as piece from documents
      where realm_id = ${tx.realm.id} and id = ${docId}`)
    pieces.push(piece)
  }
  return pieces
}

/** The SQL of how many bytes a file has. */
export const fileBytes = (alias: string): RawBuilder<number> =>
  sql`coalesce(${fileSize(alias)} - ${sql.lit(SEAL_BYTES)}, octet_length(${sql.ref(`${alias}.sealed_content`)}) - ${sql.lit(SEAL_BYTES)}, octet_length(${sql.ref(`${alias}.content`)}))`

/** Replaces what is stored about a file: its format and notes, or why a person must read it. */
export async function updatePayload(tx: Tx, dataId: string, payload: unknown): Promise<void> {
  const sealed = sealedData.seal(await keyringOf(tx), [dataId], { payload })
  await tx.run(sql`
    update customer_data set ${sealedData.emptied}, sealed = ${sealed} where realm_id = ${tx.realm.id} and id = ${dataId}`)
}

export async function deleteData(tx: Tx, dataId: string): Promise<void> {
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and id = ${dataId}`)
}
