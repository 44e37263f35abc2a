import type { AnswerMcp, McpCall } from '../platform/http/mcp.ts'
import { readAnswer, refusalOf } from './answers.ts'
import { type Operation, readOperations } from './operations.ts'
import { Quotes } from './quotes.ts'
import type { Send } from './server.ts'

// Of realms that asked for quotes within ten minutes. A caller whose quote is forgotten is asked to quote again.
const MOST_REALMS = 1000
// Nothing is sent there: requests take the way through this process.
const BASE_URL = 'http://localhost'

/**
 * The same tools over HTTP: a server for each message, and what outlives one, the quotes of each realm. `nowMs` dates
 * them. The library and the document are read with the first message, so that a service without assistants pays for neither.
 */
export function mcpOverHttp(nowMs = () => performance.now()): AnswerMcp {
  let operations: Promise<Operation[]> | undefined
  const quotesByRealm = new Map<number, Quotes>()

  function quotesOf(realmId: number): Quotes {
    const quotes = quotesByRealm.get(realmId) ?? new Quotes(nowMs)
    if (quotesByRealm.has(realmId)) return quotes
    for (const [id, others] of quotesByRealm) {
      if (others.areOver || quotesByRealm.size >= MOST_REALMS) quotesByRealm.delete(id)
    }
    quotesByRealm.set(realmId, quotes)
    return quotes
  }

  return async ({ message, body, access, choices, perform }) => {
    const { openMcp } = await import('./server.ts')
    const { WebStandardStreamableHTTPServerTransport } = await import(
      '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
    )
    operations ??= readOperations()
    const { realm, businessName, scopes } = access
    const mcp = openMcp({
      ...choices,
      operations: await operations,
      baseUrl: BASE_URL,
      holder: { mode: realm.mode, businessName, scopes },
      send: sendThrough(perform),
      quotes: quotesOf(realm.id),
    })
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await mcp.connect(transport)
    try {
      return await transport.handleRequest(message, { parsedBody: body })
    } finally {
      await mcp.close()
    }
  }
}

/** Each call is a request like any other. It is not sent again: who called can, with the words of the refusal. */
const sendThrough =
  (perform: McpCall['perform']): Send =>
  async (request, { key }) => {
    if (key) request.headers.set('Idempotency-Key', key)
    const response = await perform(request)
    if (response.ok) return readAnswer(response)
    const { message, code, requestId, details, allowed } = (await response.json()) as Refusal
    throw refusalOf({ message: `${message} (${code}, request ${requestId})`, details, allowed })
  }

interface Refusal {
  message: string
  code: string
  requestId: string
  details?: { message: string; path?: string }[]
  allowed?: unknown
}
