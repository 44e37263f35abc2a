import { AppError } from '../domain/errors.ts'
import type { DescribedError } from './log-errors.ts'
import { isAmong, waysToBeAway } from './ways-to-be-away.ts'

const PAUSE_MS = 1000
// Kinds are sentences of this program with codes; more than these would be a mistake.
const MAX_KINDS = 1000

/** Whether an error is of an outage, in which each request and job says the same. */
export function isOfOutage(error: unknown, depth = 0): boolean {
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
export const kindOf = (message: string, { type, code, message: described, cause }: DescribedError): string =>
  [message, type, code, described, cause && kindOf('', cause)].join(' ')

/** Lets the first line of a kind through, and then one a second, which says how many `more` there were since. */
export class Floods {
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
