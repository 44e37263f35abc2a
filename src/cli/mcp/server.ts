import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolRequestSchema, type CallToolResult, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { KitlaneError } from '../../../client/src/errors.ts'
import { createTransport } from '../../../client/src/transport.ts'
import { StartError } from '../../domain/errors.ts'
import { VERSION } from '../../platform/package-root.ts'
import { hide } from './hidden.ts'
import { type Operation, readOperations } from './operations.ts'
import { costOf, type Priced, Quotes } from './quotes.ts'
import { type Arguments, operationNamed, PLACE, QUOTE, requestOf, ToolRefusal, toolOf } from './tools.ts'

export interface McpOptions {
  /** Where Kitlane runs, e.g. `https://kits.example.com`. */
  baseUrl: string
  /** Of a business. */
  token: string
  /** Show personal data that the token may read. Default: it is hidden. */
  personalData: boolean
  /** Offer only tools that change nothing. */
  readOnly: boolean
}

interface Verified {
  mode: 'live' | 'sandbox'
  business: { name: string }
  scopes: string[]
}

interface Answer {
  body: unknown
  headers: Headers
}

/**
 * A server of the Model Context Protocol, whose tools are the API as this token may use it. `nowMs` dates its quotes.
 * @throws StartError where the service cannot be reached, or refuses the token
 */
export async function openMcp(
  { baseUrl, token, personalData, readOnly }: McpOptions,
  nowMs = () => performance.now(),
): Promise<McpServer> {
  const operations = await readOperations()
  const verifying = operationNamed(operations, 'verifyToken')
  const quoting = operationNamed(operations, QUOTE)
  const placing = operationNamed(operations, PLACE)
  const transport = createTransport()
  const quotes = new Quotes(nowMs)

  async function ask(operation: Operation, given: Arguments, { signal, key }: Asking = {}): Promise<Answer> {
    const request = requestOf(operation, given, baseUrl)
    request.headers.set('Authorization', `Token ${token}`)
    if (key) request.headers.set('Idempotency-Key', key)
    const response = await transport(request, { signal })
    const text = await response.text()
    return { body: text === '' ? { message: 'Done' } : JSON.parse(text), headers: response.headers }
  }
  const mayBeCalled = ({ name, method }: Operation) => !readOnly || method === 'GET' || name === QUOTE

  async function verify(): Promise<Verified> {
    try {
      return (await ask(verifying, {})).body as Verified
    } catch (cause) {
      if (!(cause instanceof KitlaneError)) throw cause
      throw new StartError(`Kitlane at ${baseUrl} cannot be used: ${wordsOf(cause)}`, { cause })
    }
  }

  async function quote(given: Arguments, asking: Asking): Promise<Answer> {
    const { body, headers } = await ask(quoting, given, asking)
    const priced = body as Priced
    if (!priced.valid || readOnly) return { body, headers }
    return { body: { ...priced, quoteID: quotes.keep(given.body, priced).id }, headers }
  }

  async function place(given: Arguments, asking: Asking): Promise<Answer> {
    const kept = quotes.find(given.quoteID)
    // One that was sent may have been placed already. Its key sees to it that sending it again places nothing more.
    if (!kept.wasSent) {
      const now = (await ask(quoting, { body: kept.body }, asking)).body as Priced
      if (!now.valid || costOf(now) !== kept.cost) {
        throw new ToolRefusal(
          `Nothing was placed: the order would not cost and do the same as when it was priced. It would now: ${JSON.stringify(now)}. Call ${QUOTE} again, show the person the new price, and ask.`,
        )
      }
    }
    kept.wasSent = true
    return await ask(placing, { body: kept.body }, { ...asking, key: kept.id })
  }

  async function call(name: string, given: Arguments, signal: AbortSignal): Promise<CallToolResult> {
    const operation = operations.find((one) => one.name === name)
    if (!operation || !mayBeCalled(operation)) throw new ToolRefusal(`There is no tool ${name}.`)
    const work = { [QUOTE]: quote, [PLACE]: place }[name]
    const { body, headers } = await (work ? work(given, { signal }) : ask(operation, given, { signal }))
    const total = headers.get('x-total-count')
    const next = headers.get('x-next-updated-since')
    return {
      content: [
        textOf(JSON.stringify(personalData ? body : hide(name, body))),
        ...(total === null ? [] : [textOf(`There are ${total} in all; page and size choose which are listed.`)]),
        ...(next === null ? [] : [textOf(`To ask for later changes: updatedSince ${next}.`)]),
      ],
    }
  }

  const { mode, business, scopes } = await verify()
  const listed = operations.filter((one) => mayBeCalled(one) && (!one.scope || scopes.includes(one.scope)))
  const mcp = new McpServer(
    { name: 'kitlane', title: 'Kitlane', version: VERSION },
    {
      capabilities: { tools: {} },
      instructions: `Health test kits of ${business.name}, ${mode === 'live' ? 'live: orders cost money and kits are sent to people' : 'in the sandbox: nothing is sent or charged'}. ${personalData ? 'Answers hold personal and health data of people: show them only to the person who you work for.' : 'Names, addresses, results and other data of people are hidden; speak of orders, kits, customers and reports by their IDs.'} To order, call ${QUOTE}, show the price, ask, then call ${PLACE}.`,
    },
  )
  mcp.server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed.map(toolOf) }))
  mcp.server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    try {
      return await call(params.name, params.arguments ?? {}, signal)
    } catch (error) {
      if (!(error instanceof KitlaneError || error instanceof ToolRefusal)) throw error
      return { isError: true, content: [textOf(error instanceof KitlaneError ? wordsOf(error) : error.message)] }
    }
  })
  return mcp
}

interface Asking {
  signal?: AbortSignal
  /** The Idempotency-Key; a write without one gets its own. */
  key?: string
}

const textOf = (text: string) => ({ type: 'text' as const, text })

/** The service's own words, with code, request and each mistake. */
function wordsOf({ message, details, body }: KitlaneError): string {
  const { allowed } = body as { allowed?: unknown }
  const ways = Array.isArray(allowed) && allowed.length > 0 ? [`Possible now: ${allowed.join(', ')}`] : []
  const mistakes = details.map((detail) => `${detail.path ? `${detail.path}: ` : ''}${detail.message}`)
  return [message, ...ways, ...mistakes].join('\n- ')
}
