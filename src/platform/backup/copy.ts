import { createHash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'
import { RowsSum } from './rows-sum.ts'

export interface Counted {
  rows: number
  bytes: number
  /** Of the text of `copy`, as it came. */
  sha256: string
}

/** What a query selected. */
export interface CopiedOut extends Counted {
  /** The same for the same rows in another order. */
  rowsSum: string
}

const PART_BYTES = 4 * 1024 * 1024

/** Copies what a query selects, in parts of about 4 MB. */
export async function copyOut(
  client: ClientBase,
  query: string,
  take: (part: Buffer) => Promise<void>,
): Promise<CopiedOut> {
  const copy = to(`copy (${query}) to stdout`)
  const stream: Readable = client.query(copy)
  const hash = createHash('sha256')
  const sum = new RowsSum()
  let bytes = 0
  let held: Buffer[] = []
  let size = 0
  const flush = async () => {
    if (size === 0) return
    const part = Buffer.concat(held)
    held = []
    size = 0
    hash.update(part)
    sum.add(part)
    await take(part)
  }
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    held.push(chunk)
    size += chunk.length
    bytes += chunk.length
    if (size >= PART_BYTES) await flush()
  }
  await flush()
  return { rows: copy.rowCount ?? 0, bytes, sha256: hash.digest('hex'), rowsSum: sum.digest() }
}

/** Rows on their way into a table. */
export interface CopyingIn {
  write(chunk: Buffer): Promise<void>
  end(): Promise<Counted>
}

export function copyIn(client: ClientBase, statement: string): CopyingIn {
  const copy = from(statement)
  const stream: Writable = client.query(copy)
  const hash = createHash('sha256')
  let bytes = 0
  const { promise: failed, reject } = Promise.withResolvers<never>()
  // Each write waits for it; without a handler, a failure between two writes would end the process.
  failed.catch(() => {})
  stream.on('error', reject)
  return {
    async write(chunk) {
      hash.update(chunk)
      bytes += chunk.length
      if (!stream.write(chunk)) {
        await Promise.race([failed, new Promise<void>((resolve) => stream.once('drain', resolve))])
      }
    },
    async end() {
      await Promise.race([failed, new Promise<void>((resolve) => stream.end(resolve))])
      return { rows: copy.rowCount ?? 0, bytes, sha256: hash.digest('hex') }
    },
  }
}
