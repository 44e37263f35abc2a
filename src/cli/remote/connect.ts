import type { Kitlane, KitlaneError } from '../../../client/src/index.ts'
import { StartError } from '../../domain/errors.ts'
import { type Login, maybeReadLogin } from './login-file.ts'

/** What the client threw, as a sentence with the next step. Everything else is returned as it is. */
export async function inSentence(error: unknown, url: string): Promise<unknown> {
  const { KitlaneError } = await import('../../../client/src/index.ts')
  return error instanceof KitlaneError ? new StartError(sentenceOf(error, url), { cause: error }) : error
}

function sentenceOf(error: KitlaneError, url: string): string {
  if (error.code === 'NO_ANSWER') return `Nothing answers at ${url}. Check the address, and that the service runs.`
  if (error.code === 'TIMED_OUT') return `${url} did not answer in time. Try again in a moment.`
  if (error.code === 'UNEXPECTED_ANSWER') {
    return `What answers at ${url} is not Kitlane: it answered ${error.status}. Check the address: kitlane login --url …`
  }
  if (error.status === 401) {
    return `${url} does not accept the token: it is wrong, expired or revoked. Log in with another one: kitlane login`
  }
  // The client's message ends with the code and the request, which the last line has too.
  const message = wordsOf(error)
  const details = error.details
    .filter((detail) => detail.message !== message)
    .map(({ path, message }) => `\n- ${path ? `${path}: ` : ''}${message}`)
  return `${message.replace(/\.?$/, '.')}${details.join('')}\n(${error.code}, request ${error.requestId})`
}

/** The service's own words. */
const wordsOf = ({ message, code, requestId }: KitlaneError) => message.replace(` (${code}, request ${requestId})`, '')

/** A service that accepts the token, and what the token is for. */
export interface Connection {
  kitlane: Kitlane
  url: string
  business: { id: string; name: string }
  mode: 'live' | 'sandbox'
  scopes: string[]
}

/** What the environment says, or else what `kitlane login` kept. @throws StartError where that is not one service and its token */
export async function findLogin(): Promise<Login> {
  const { KITLANE_URL: url, KITLANE_TOKEN: token } = process.env
  if (url && token) return { url: addressOf(url), token: printable(token) }
  const stored = await maybeReadLogin()
  if (!stored) {
    const missing = url ? 'KITLANE_TOKEN is' : token ? 'KITLANE_URL is' : 'KITLANE_URL and KITLANE_TOKEN are'
    throw new StartError(`You are not logged in, and ${missing} not set. Run kitlane login, or set what is missing.`)
  }
  if (url && addressOf(url) !== stored.url) {
    throw new StartError(
      'KITLANE_URL names another service than the one that you logged in to, whose token is not sent there. Set KITLANE_TOKEN too.',
    )
  }
  return { url: stored.url, token: printable(token || stored.token) }
}

/** Connects with this address and token, and asks the service what the token is for. @throws StartError */
export async function connectWith(login: Login): Promise<Connection> {
  const url = addressOf(login.url)
  const token = printable(login.token)
  // Only these commands need the client: loaded later, the others start sooner.
  const { Kitlane } = await import('../../../client/src/index.ts')
  const kitlane = new Kitlane({ token, baseUrl: url, headers: { 'User-Agent': 'kitlane-cli' } })
  try {
    const { business, mode, scopes } = await kitlane.tokens.verify({ maxRetries: 1 })
    return { kitlane, url, business, mode, scopes }
  } catch (error) {
    throw await inSentence(error, url)
  }
}

/** A message of `fetch` about any other token would show it. */
function printable(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new StartError(
    'The token is empty, or has characters that no token has. A token begins with kl_test_ or kl_live_.',
  )
}

/** The address of a service as it is kept: without the path of the API, if it was given with it. @throws StartError */
export function addressOf(text: string): string {
  const url = URL.parse(text.trim())
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw new StartError('The address of the service must look like https://kits.example.com.')
  }
  return url.href.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}

/** Whether this is an address of the machine itself. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
