import { hash } from 'node:crypto'

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
