import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../../domain/errors.ts'
import { addCommand } from '../command.ts'
import { addressOf, type Connection, connectWith, isLoopback } from './connect.ts'
import { forget, keepLogin, loginPath, maybeReadLogin } from './login-file.ts'

/** Asks the person at the terminal. What is typed is not shown where it is `hidden`. @throws StartError if they give up */
async function ask(question: string, { hidden = false } = {}): Promise<string> {
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
const readInput = async (): Promise<string> => (await textOf(process.stdin)).trim()

export function addLoginCommands(root: Command): void {
  addCommand(
    root,
    {
      name: 'login',
      summary: 'Log in to a service with an API token. Asks for it, or reads it from standard input.',
      options: { '--url <address>': 'the address of the service, such as https://kits.example.com' },
      input: z.object({ url: z.string().min(1).optional() }),
      example: 'kitlane login --url https://kits.example.com < token.txt',
    },
    async ({ url: given }) => {
      const url = addressOf(given ?? process.env.KITLANE_URL ?? (await askForAddress()))
      if (new URL(url).protocol === 'http:' && !isLoopback(new URL(url))) {
        console.error(`${url} is not encrypted: others on the network can read the token. Use https if you can.`)
      }
      const token = process.stdin.isTTY ? await ask('Token (it is not shown): ', { hidden: true }) : await readInput()
      const connection = await connectWith({ url, token })
      await keepLogin({ url, token })
      const { business, mode, scopes } = connection
      return { json: { url, business, mode, scopes, file: loginPath() }, text: inWords(connection) }
    },
  )

  addCommand(
    root,
    {
      name: 'logout',
      summary: 'Forget the token that kitlane login kept, and the secret of kitlane listen. The token stays valid.',
      options: {},
      input: z.object({}),
      example: 'kitlane logout',
    },
    async () => {
      const loggedOut = await forget()
      const still = process.env.KITLANE_TOKEN ? ' KITLANE_TOKEN is still set, and counts.' : ''
      const text = loggedOut
        ? 'Logged out. The token stays valid until somebody revokes it.'
        : 'You were not logged in.'
      return { json: { loggedOut }, text: text + still }
    },
  )
}

async function askForAddress(): Promise<string> {
  const known = (await maybeReadLogin())?.url
  if (!process.stdin.isTTY) {
    if (known) return known
    throw new StartError('Say which service it is: kitlane login --url https://kits.example.com')
  }
  const typed = await ask(`Address of the service${known ? ` (${known})` : ''}: `)
  return typed || known || ''
}

function inWords({ url, business, mode, scopes }: Connection): string {
  const overrules = ['KITLANE_URL', 'KITLANE_TOKEN'].filter((name) => process.env[name])
  return [
    `Logged in to ${url} as ${business.name}, ${mode === 'live' ? 'on live data: orders cost money, and kits are shipped' : 'in the sandbox'}.`,
    `The token may: ${scopes.join(', ')}.`,
    `It is kept in ${loginPath()}, which only you may read.`,
    ...(overrules.length > 0
      ? [`${overrules.join(' and ')} in the environment come first. Unset them to use this login.`]
      : []),
  ].join('\n')
}
