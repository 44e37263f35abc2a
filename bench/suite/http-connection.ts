// One socket of the load generator. It has one request in flight at a time, and frames answers without a copy: what the
// generator costs, the service does not get.
import { connect, type Socket } from 'node:net'

/** `text`: of a refusal; empty for an answer with 2xx. */
export type Answered = (ok: boolean, text: string) => void

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const LENGTHS = ['\r\ncontent-length: ', '\r\nContent-Length: '].map((name) => Buffer.from(name))
// "HTTP/1.1 200": the digit that all good answers share.
const STATUS_AT = 9
const TWO = 0x32
const ZERO = 0x30

export class Connection {
  readonly #socket: Socket
  /** What arrived of an answer in several pieces. */
  #pieces: Buffer | undefined
  #answered: Answered = () => {}
  #closed = false

  private constructor(port: number, opened: () => void, failed: (error: Error) => void) {
    const onread = {
      buffer: Buffer.allocUnsafe(65_536),
      callback: (bytes: number, buffer: Uint8Array) => this.#take(buffer as Buffer, bytes),
    }
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread }, opened)
    this.#socket.on('error', failed)
    this.#socket.on('close', () => {
      if (!this.#closed) throw new Error('the service closed a connection')
    })
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const connection = new Connection(port, () => resolve(connection), reject)
    })
  }

  send(request: Buffer, answered: Answered): void {
    this.#answered = answered
    this.#socket.write(request)
  }

  close(): void {
    this.#closed = true
    this.#socket.destroy()
  }

  #take(buffer: Buffer, bytes: number): boolean {
    const chunk = buffer.subarray(0, bytes)
    const answer = this.#pieces ? Buffer.concat([this.#pieces, chunk]) : chunk
    if (answer.length < wholeLength(answer)) {
      // The buffer is used again for the next piece.
      this.#pieces = Buffer.from(answer)
      return true
    }
    this.#pieces = undefined
    const ok = answer[STATUS_AT] === TWO
    this.#answered(ok, ok ? '' : answer.toString())
    return true
  }
}

/** Infinite until the head is there. @throws Error if the head does not tell the length */
function wholeLength(answer: Buffer): number {
  const end = answer.indexOf(END_OF_HEAD)
  if (end < 0) return Number.POSITIVE_INFINITY
  for (const name of LENGTHS) {
    const found = answer.indexOf(name)
    if (found < 0 || found > end) continue
    let length = 0
    for (let at = found + name.length; at < end; at++) {
      const digit = (answer[at] ?? 0) - ZERO
      if (digit < 0 || digit > 9) break
      length = length * 10 + digit
    }
    return end + END_OF_HEAD.length + length
  }
  throw new Error(`an answer without its length: ${answer.toString('latin1', 0, end)}`)
}
