import { createHash, hash } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import type { ClientBase } from 'pg'
import { from, to } from 'pg-copy-streams'

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

const NEWLINE = 10
const WORDS = 8

/**
 * Tells whether two tables hold the same rows, in whatever order: the sum of the SHA-256 of each line of `copy … to stdout`,
 * which has one line a row, in 8 words of 32 bits. PostgreSQL may put a short row into the room that is left on an
 * earlier page.
 */
export class RowsSum {
  readonly #words = new Uint32Array(WORDS)
  #begun: Buffer[] = []

  /** Any part of the text, also of a line. */
  add(text: Buffer): void {
    let from = 0
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, from)) {
      const line = text.subarray(from, end)
      this.#addLine(this.#begun.length > 0 ? Buffer.concat([...this.#begun, line]) : line)
      this.#begun = []
      from = end + 1
    }
    if (from < text.length) this.#begun.push(text.subarray(from))
  }

  /** As hexadecimal digits. */
  digest(): string {
    return Buffer.from(this.#words.buffer).toString('hex')
  }

  #addLine(line: Buffer): void {
    const digest = hash('sha256', line, 'buffer')
    for (let n = 0; n < WORDS; n++) this.#words[n] = (this.#words[n] as number) + digest.readUInt32LE(n * 4)
  }
}

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
