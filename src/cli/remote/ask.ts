import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { StartError } from '../../domain/errors.ts'

/** Asks the person at the terminal. What is typed is not shown where it is `hidden`. @throws StartError if they give up */
export async function ask(question: string, { hidden = false } = {}): Promise<string> {
  // Readline would show the question as what is not shown.
  if (hidden) process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: hidden ? nowhere : process.stderr, terminal: true })
  const givenUp = new AbortController()
  lines.once('SIGINT', () => givenUp.abort())
  lines.once('close', () => givenUp.abort())
  try {
    return (await lines.question(hidden ? '' : question, { signal: givenUp.signal })).trim()
  } catch (cause) {
    if (!givenUp.signal.aborted) throw cause
    throw new StartError('Nothing was changed.')
  } finally {
    lines.close()
    if (hidden) process.stderr.write('\n')
  }
}

/** All of standard input, without the line's end that programs add. */
export const readInput = async (): Promise<string> => (await textOf(process.stdin)).trim()
