import type { Answer } from './server.ts'
import { ToolRefusal } from './tools.ts'

/** A refusal of the API. */
export interface Refused {
  /** The sentence of the service, with code and request. */
  message: string
  details?: readonly { message: string; path?: string }[] | undefined
  /** Of an ILLEGAL_TRANSITION: what may be done now. */
  allowed?: unknown
}

/** The service's own words, with code, request and each mistake. */
export function refusalOf({ message, details = [], allowed }: Refused): ToolRefusal {
  const ways = Array.isArray(allowed) && allowed.length > 0 ? [`Possible now: ${allowed.join(', ')}`] : []
  const mistakes = details.map((detail) => `${detail.path ? `${detail.path}: ` : ''}${detail.message}`)
  return new ToolRefusal([message, ...ways, ...mistakes].join('\n- '))
}

/** What a successful answer says. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text()
  return { body: text === '' ? { message: 'Done' } : JSON.parse(text), headers: response.headers }
}
