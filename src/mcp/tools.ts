import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { onlyAdds } from '../domain/effects.ts'
import { StartError } from '../domain/errors.ts'
import { type Operation, PLACE, QUOTE } from './operations.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** What an assistant learns without a request. */
export class ToolRefusal extends Error {}

const quoteId = {
  type: 'string',
  description: `What \`${QUOTE}\` answered in this session, at most ten minutes ago.`,
}

/** The tool of an operation: its parameters are arguments of the same names, its JSON body is `body`. */
export function toolOf(operation: Operation): Tool {
  const { name, method, path, summary, description, effects = ['unknown'] } = operation
  const isRead = method === 'GET' || name === QUOTE
  const words = ownWords[name] ?? description
  return {
    name,
    title: summary,
    description: words.startsWith(summary) ? words : `${summary}. ${words}`,
    inputSchema:
      name === PLACE ? { type: 'object', properties: { quoteID: quoteId }, required: ['quoteID'] } : inputOf(operation),
    annotations: {
      title: summary,
      readOnlyHint: isRead,
      ...(!isRead && { destructiveHint: !onlyAdds({ method, path, effects }) }),
    },
  }
}

const ownWords: Record<string, string> = {
  [PLACE]: `Makes the order that \`${QUOTE}\` priced, exactly that and once: it takes no order but the \`quoteID\`. The order waits as pending and costs nothing until a person opens it in the dashboard and pays it: say so, with its ID. Show the person who you work for the price and the recipients, and ask before you call it. It is refused if the price is another one by now.`,
  [QUOTE]: `Says what an order, or many rows, would cost and do, and what is wrong with them. Nothing is written, charged or reserved. A valid one has a \`quoteID\`, with which \`${PLACE}\` makes the order within ten minutes.`,
}

function inputOf({ parameters, body, bodyRequired }: Operation): Tool['inputSchema'] {
  const fields = parameters.map(({ name, schema, description }) => [
    name,
    { ...schema, ...(description && { description }) },
  ])
  const required = parameters.filter((one) => one.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(fields), ...(body && { body }) },
    required: [...required, ...(body && bodyRequired ? ['body'] : [])],
    additionalProperties: false,
  }
}

/**
 * The request of a call. `baseUrl` may have a path of its own.
 * @throws ToolRefusal for an argument that is unknown, or missing from the path
 */
export function requestOf(
  { name, method, path, parameters, body }: Operation,
  given: Arguments,
  baseUrl: string,
): Request {
  const known = [...parameters.map((one) => one.name), ...(body ? ['body'] : [])]
  const unknown = Object.keys(given).filter((one) => !known.includes(one))
  if (unknown.length > 0) {
    throw new ToolRefusal(`${name} has no argument ${unknown.join(', ')}. It takes: ${known.join(', ') || 'none'}.`)
  }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, one: string) => encodeURIComponent(pathValue(one, given[one])))
  const url = new URL(baseUrl.replace(/\/+$/, '') + filled)
  for (const { name, in: place } of parameters) {
    const value = place === 'query' ? (given[name] ?? []) : []
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one))
  }
  const headers = { Accept: 'application/json' }
  if (!body || given.body === undefined) return new Request(url, { method, headers })
  return new Request(url, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(given.body),
  })
}

/** An empty value, or dots, would make another address: that of the list, or one above it. */
function pathValue(name: string, value: unknown): string {
  if (typeof value === 'number' || (typeof value === 'string' && !/^\.{0,2}$/.test(value))) return String(value)
  throw new ToolRefusal(`The argument ${name} is missing.`)
}

/** @throws StartError where the document has no such operation */
export function operationNamed(operations: readonly Operation[], name: string): Operation {
  const found = operations.find((one) => one.name === name)
  if (!found) throw new StartError(`openapi.json has no operation ${name}. Install Kitlane again.`)
  return found
}
