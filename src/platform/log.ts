import { pino } from 'pino'
import { AppError, StartError } from '../domain/errors.ts'
import { type LogFieldKind, logFields } from '../domain/log-fields.ts'
import { driverSentence, isAmong, waysToBeAway } from './ways-to-be-away.ts'

interface DescribedError {
  type: string
  code?: string
  message?: string
  severity?: string
  schema?: string
  table?: string
  column?: string
  constraint?: string
  routine?: string
  syscall?: string
  stack?: string[]
  cause?: DescribedError
}

const identifier = /^[A-Za-z_$][\w$.-]{0,80}$/
const code = /^[\w.-]{1,60}$/
const place = /(?:(?:file:\/\/|node:|\/|[A-Z]:\\)[^\s()]*:\d+:\d+|<anonymous>|index \d+|native)/.source
const frame = new RegExp(`^\\s+at (?:[\\w$.<>#[\\] ]+ \\(${place}\\)|(?:async )?${place})$`)
const names = ['severity', 'schema', 'table', 'column', 'constraint', 'routine', 'syscall'] as const

/**
 * What a log line or a job row may say about an error. Messages of PostgreSQL, libraries and parsers quote the offending
 * data, so only the messages of AppError and StartError are kept, which by rule hold none, and the driver's sentences about a lost
 * connection. Of other errors the type, the
 * code or SQLSTATE, the names of database objects and the stack frames remain.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  const fields = error as Record<string, unknown>
  const described: DescribedError = { type: matching(fields.name, identifier) ?? 'Error' }
  described.code = matching(fields.code, code)
  described.message =
    error instanceof AppError || error instanceof StartError
      ? error.message
      : driverSentence(typeof fields.message === 'string' ? fields.message : '')
  for (const name of names) described[name] = matching(fields[name], identifier)
  const stack = frames(fields.stack, fields.message)
  if (stack.length > 0) described.stack = stack
  if (fields.cause !== undefined && depth < 3) described.cause = describeError(fields.cause, depth + 1)
  return described
}

function matching(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined
}

/** The stack frames, read from the bottom up to the first line that is not a frame: the message above has any length. */
function frames(stack: unknown, message: unknown): string[] {
  if (typeof stack !== 'string') return []
  const start = typeof message === 'string' && message !== '' ? stack.indexOf(message) : -1
  const lines = (start < 0 ? stack : stack.slice(start + String(message).length)).split('\n')
  const stackLines: string[] = []
  for (const line of lines.reverse()) {
    if (!frame.test(line)) break
    stackLines.unshift(line.trim())
  }
  return stackLines.slice(0, 20)
}

type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
export type Logger = pino.Logger

const word = /^[\w:./{}*-]{1,120}$/
/** A fixed sentence. Libraries put URLs, values and SQL into theirs. */
const sentence = /^[A-Za-z][A-Za-z ,.;:'()-]{0,119}$/

function allow(fields: object): Record<string, unknown> {
  const allowed: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'err' || name === 'error') allowed.err = describeError(value)
    else if (Object.hasOwn(logFields, name) && keeps(logFields[name], value)) allowed[name] = value
  }
  return allowed
}

function keeps(kind: LogFieldKind | undefined, value: unknown): boolean {
  return typeof value === 'number' || (kind === 'word' && typeof value === 'string' && word.test(value))
}

/** Filters the arguments of a log call by the allow-list. Template values are dropped. */
function clean(args: unknown[]): [object, string] {
  const [first, second] = args
  if (typeof first === 'string') return [{}, fixed(first)]
  // Fastify and pino log an error with the error's own message as the text.
  const error = thrownIn(args)
  const fields = first instanceof Error ? { err: first } : typeof first === 'object' && first !== null ? first : {}
  const repeats = error instanceof Error && typeof second === 'string' && second.includes(error.message)
  return [allow(fields), typeof second === 'string' && !repeats ? fixed(second) : error ? 'error' : '']
}

const WARN = 40
const thrownIn = ([first]: unknown[]): unknown => (first instanceof Error ? first : errorOf(first))

function errorOf(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null) return undefined
  return 'err' in fields ? fields.err : 'error' in fields ? fields.error : undefined
}

const fixed = (message: string): string => (sentence.test(message) ? message : 'message withheld')

const PAUSE_MS = 1000
// Kinds are sentences of this program with codes; more than these would be a mistake.
const MAX_KINDS = 1000

/** Whether an error is of an outage, in which each request and job says the same. */
function isOfOutage(error: unknown, depth = 0): boolean {
  if (error instanceof AppError) return error.status === 503
  if (typeof error !== 'object' || error === null) return false
  const { code, severity, message, cause } = error as Record<string, unknown>
  const text = typeof code === 'string' ? code : undefined
  const { ended, useless, busy, network, driver } = waysToBeAway
  const isOfServer = typeof severity === 'string' && isAmong([...ended, ...useless, ...busy], text)
  const isOfNetwork = text !== undefined && (text.startsWith('08') || (network as readonly string[]).includes(text))
  const isOfDriver = driver.some((words) => String(message).includes(words))
  return isOfServer || isOfNetwork || isOfDriver || (depth < 3 && isOfOutage(cause, depth + 1))
}

/** What one line is like another of: the sentence, and the error without its stack. */
const kindOf = (message: string, { type, code, message: described, cause }: DescribedError): string =>
  [message, type, code, described, cause && kindOf('', cause)].join(' ')

/** Lets the first line of a kind through, and then one a second, which says how many `more` there were since. */
class Floods {
  readonly #kinds = new Map<string, { more: number; last: (more: number) => void }>()

  write(kind: string, line: (more: number) => void): void {
    const known = this.#kinds.get(kind)
    if (known) {
      known.more++
      known.last = line
      return
    }
    line(0)
    if (this.#kinds.size < MAX_KINDS) this.#wait(kind, line)
  }

  #wait(kind: string, line: (more: number) => void): void {
    const waiting = { more: 0, last: line }
    this.#kinds.set(kind, waiting)
    setTimeout(() => {
      this.#kinds.delete(kind)
      if (waiting.more === 0) return
      // The line itself is one of them.
      waiting.last(waiting.more - 1)
      this.#wait(kind, waiting.last)
    }, PAUSE_MS).unref()
  }
}

/**
 * Writes JSON lines to standard output, or readable lines to a terminal. Messages are fixed sentences: variable parts
 * belong in fields, and fields that are not on the list are dropped.
 */
export function createLogger(options: { level: LogLevel; stream?: { write(line: string): void } }): Logger {
  const stream = options.stream ?? (process.stdout.isTTY ? readable(process.stdout) : pino.destination({ fd: 1 }))
  const floods = new Floods()
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // describeError has run already; pino's own serializer would put the message back.
      serializers: { err: (value: unknown) => value },
      hooks: {
        logMethod(args, method, level) {
          const [fields, message] = clean(args)
          const { err } = fields as { err?: DescribedError }
          const write = (more: number) => method.call(this, more > 0 ? { ...fields, more } : fields, message)
          if (err && level >= WARN && isOfOutage(thrownIn(args))) floods.write(kindOf(message, err), write)
          else write(0)
        },
      },
    },
    stream,
  )
  // pino's formatters do not see the bindings of a child. Children inherit this method.
  const child = logger.child
  logger.child = function (this: Logger, bindings: pino.Bindings, childOptions?: { level?: string }) {
    const level = childOptions?.level
    return child.call(this, allow(bindings), level ? { level } : {})
  } as typeof logger.child
  return logger
}

function readable(output: { write(text: string): unknown }): { write(line: string): void } {
  return {
    write(line) {
      const { time, level, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>
      const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${value}`)
      const trouble = err ? ` ${JSON.stringify(err)}` : ''
      output.write(`${String(time).slice(11, 23)} ${String(level).padEnd(5)} ${msg}${pairs.join('')}${trouble}\n`)
    },
  }
}
