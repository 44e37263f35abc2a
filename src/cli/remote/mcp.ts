import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { KitlaneError } from '../../../client/src/errors.ts'
import { createTransport } from '../../../client/src/transport.ts'
import { StartError } from '../../domain/errors.ts'
import { readAnswer, refusalOf } from '../../mcp/answers.ts'
import { readOperations } from '../../mcp/operations.ts'
import { Quotes } from '../../mcp/quotes.ts'
import { type Choices, openMcp, type Send } from '../../mcp/server.ts'
import { operationNamed, requestOf, ToolRefusal } from '../../mcp/tools.ts'

export interface RemoteMcpOptions extends Choices {
  /** Where Kitlane runs, e.g. `https://kits.example.com`. */
  baseUrl: string
  /** Of a business. */
  token: string
}

interface Verified {
  mode: 'live' | 'sandbox'
  business: { name: string }
  scopes: string[]
}

/**
 * A server of the Model Context Protocol that calls a service with this token. `nowMs` dates its quotes.
 * @throws StartError where the service cannot be reached, or refuses the token
 */
export async function openRemoteMcp(
  { baseUrl, token, ...choices }: RemoteMcpOptions,
  nowMs = () => performance.now(),
): Promise<McpServer> {
  const operations = await readOperations()
  const send = sendTo(token)
  const verify = requestOf(operationNamed(operations, 'verifyToken'), {}, baseUrl)
  const { body } = await send(verify, {}).catch((cause: unknown) => {
    if (!(cause instanceof ToolRefusal)) throw cause
    throw new StartError(`Kitlane at ${baseUrl} cannot be used: ${cause.message}`, { cause })
  })
  const { mode, business, scopes } = body as Verified
  const holder = { mode, businessName: business.name, scopes: new Set(scopes) }
  return openMcp({ ...choices, operations, baseUrl, holder, send, quotes: new Quotes(nowMs) })
}

/** By the client: it sends again what may have been lost, each write with one Idempotency-Key. */
function sendTo(token: string): Send {
  const transport = createTransport()
  return async (request, { signal, key }) => {
    request.headers.set('Authorization', `Token ${token}`)
    if (key) request.headers.set('Idempotency-Key', key)
    try {
      return await readAnswer(await transport(request, { signal }))
    } catch (cause) {
      if (!(cause instanceof KitlaneError)) throw cause
      const { message, details, body } = cause
      throw refusalOf({ message, details, allowed: (body as { allowed?: unknown }).allowed })
    }
  }
}
