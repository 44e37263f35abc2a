import type { KitlaneError } from '../../../client/src/index.ts'
import { StartError } from '../../domain/errors.ts'

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
