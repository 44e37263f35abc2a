import type { Writable } from 'node:stream'
import pg, { type ClientBase, Connection, DatabaseError, Query } from 'pg'
import { typeParser } from './pool.ts'

/** A statement for a connection. With a name it is parsed once, and its columns are described once. */
export interface Asked {
  name?: string | undefined
  text: string
  values?: readonly unknown[]
  /** How long the answer may take, if not as long as the connection says. */
  timeoutMs?: number | undefined
}

export interface Answer {
  rows: unknown[]
  rowCount: number | null
}

interface Pending extends Asked {
  /** As the protocol has them. */
  sent: (string | Buffer | null)[]
  resolve(answer: Answer): void
  reject(err: unknown): void
}

/** The columns of a statement's rows. */
type Columns = readonly { name: string; parse(text: string): unknown }[]

/** What belongs to one connection. */
interface State {
  /** Leaves at the end of this turn. */
  open: Pending[]
  /** By the name of the statement. */
  columns: Map<string, Columns>
}

/** What the driver knows and its types do not say. */
interface Wire {
  stream: Writable
  parsedStatements: Record<string, string>
  submittedNamedStatements: Record<string, string>
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils

/** The driver's messages of a batch: a write for each of them, as the driver does it, took longer than to make them. */
const messages: Buffer[] = []
const writer = new Connection({ stream: { writable: true, write: (bytes: Buffer) => messages.push(bytes) } } as object)

const states = new WeakMap<ClientBase, State>()

/**
 * Sends a statement together with those of the same turn of the event loop: in one write and with one Sync, so that the
 * answers come in one write, too. An order alone sent 17 of each, and every one woke the other side. After a failure the
 * server runs nothing more of a batch, as it would in the aborted transaction.
 */
export function ask(client: ClientBase, asked: Asked): Promise<Answer> {
  const { open } = stateOf(client)
  if (open.length === 0) process.nextTick(send, client)
  return new Promise<Answer>((resolve, reject) => {
    open.push({ ...asked, sent: (asked.values ?? []).map((value) => prepareValue(value)), resolve, reject })
  }).catch((err: unknown) => {
    // The stack that leads here, instead of one from the socket.
    if (err instanceof Error) Error.captureStackTrace(err)
    throw err
  })
}

function stateOf(client: ClientBase): State {
  const known = states.get(client)
  if (known) return known
  const state: State = { open: [], columns: new Map() }
  states.set(client, state)
  // What is asked without `ask` comes after the batch that was begun before it.
  const query = client.query
  client.query = ((...args: unknown[]) => {
    send(client)
    return Reflect.apply(query, client, args)
  }) as typeof client.query
  return state
}

function send(client: ClientBase): void {
  const state = stateOf(client)
  if (state.open.length === 0) return
  const batch = new Batch(state.open, state.columns)
  state.open = []
  client.query(batch)
}

/** Several statements that the driver takes for one. */
class Batch extends Query {
  // Of the statement that is being answered: the driver keeps account of what is parsed by them.
  declare name: string | undefined
  declare text: string
  /** The driver ends its own limit of time by calling this. */
  declare callback: (err: Error | null) => void
  readonly query_timeout: number | undefined
  readonly #pending: readonly Pending[]
  readonly #columns: Map<string, Columns>
  #wire: Wire | undefined
  /** Which statement is being answered. */
  #at = 0
  #rows: unknown[] = []
  #answering: Columns | undefined
  /** A row that could not be read. */
  #unread: unknown

  constructor(pending: readonly Pending[], columns: Map<string, Columns>) {
    super('')
    this.#pending = pending
    this.#columns = columns
    this.query_timeout = Math.max(0, ...pending.map(({ timeoutMs = 0 }) => timeoutMs)) || undefined
    this.callback = () => undefined
    this.#begin()
  }

  #begin(): void {
    const pending = this.#pending[this.#at]
    this.name = pending?.name
    this.text = pending?.text ?? ''
    this.#rows = []
    this.#answering = this.name ? this.#columns.get(this.name) : undefined
    this.#unread = undefined
  }

  override submit = (connection: Connection): void => {
    const wire = connection as unknown as Wire
    this.#wire = wire
    for (const pending of this.#pending) this.#write(wire, pending)
    writer.sync()
    const bytes = Buffer.concat(messages.splice(0))
    if (wire.stream.writable) wire.stream.write(bytes)
  }

  #write(wire: Wire, { name, text, sent }: Pending): void {
    if (!name || !(wire.parsedStatements[name] ?? wire.submittedNamedStatements[name])) {
      writer.parse({ name: name ?? '', text, types: [] }, true)
      if (name) wire.submittedNamedStatements[name] = text
    }
    writer.bind({ statement: name, values: sent }, true)
    if (!name || !this.#columns.has(name)) writer.describe({ type: 'P' }, true)
    writer.execute({}, true)
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number; format?: string }[] }): void {
    this.#answering = fields.map(({ name, dataTypeID, format = 'text' }) => ({
      name,
      parse: typeParser(dataTypeID, format),
    }))
    if (this.name) this.#columns.set(this.name, this.#answering)
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#unread) return
    try {
      this.#rows.push(rowOf(this.#answering ?? [], fields))
    } catch (err) {
      this.#unread = err
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const pending = this.#pending[this.#at]
    if (this.#unread) pending?.reject(this.#unread)
    else pending?.resolve({ rows: this.#rows, rowCount: countOf(text) })
    this.#at++
    this.#begin()
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.callback(null)
  }

  /** The server skips what follows in the batch, and what it was to parse there. */
  handleError(err: Error): void {
    const [failed, ...skipped] = this.#pending.slice(this.#at)
    this.#at = this.#pending.length
    for (const { name } of skipped) if (name) delete this.#wire?.submittedNamedStatements[name]
    failed?.reject(err)
    const isLost = !(err instanceof DatabaseError)
    for (const { reject } of skipped)
      reject(isLost ? err : new Error('A statement before this one failed', { cause: err }))
    this.callback(err)
  }
}

function rowOf(columns: Columns, fields: readonly (string | null)[]): unknown {
  const row: Record<string, unknown> = {}
  for (const [at, { name, parse }] of columns.entries()) {
    const text = fields[at] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}

/** The last number of `INSERT 0 5` or `SELECT 3`; null for `COMMIT`. */
function countOf(command: string): number | null {
  const count = Number.parseInt(command.slice(command.lastIndexOf(' ') + 1), 10)
  return Number.isNaN(count) ? null : count
}
