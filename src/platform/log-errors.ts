import { AppError, StartError } from '../domain/errors.ts'
import { driverSentence } from './ways-to-be-away.ts'

export interface DescribedError {
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
