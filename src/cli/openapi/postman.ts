import { follow } from '../client-methods.ts'
import type { OpenApi } from './open-api.ts'

/** A collection of Postman's, format 2.1: https://schema.postman.com. */
export interface PostmanCollection {
  info: { name: string; description: string; schema: string }
  auth: { type: 'apikey'; apikey: Entry[] }
  variable: Entry[]
  item: { name: string; description?: string; item: PostmanItem[] }[]
}

interface Entry {
  key: string
  value: string
  type?: string
  description?: string
  disabled?: boolean
}

export interface PostmanItem {
  name: string
  request: {
    method: string
    description: string
    header: Entry[]
    url: { raw: string; host: string[]; path: string[]; query: Entry[]; variable: Entry[] }
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } }
  }
  response: never[]
}

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

interface Operation {
  operationId: string
  tags: string[]
  summary?: string
  description?: string
  deprecated?: boolean
  security?: { token?: string[] }[]
  parameters?: {
    $ref?: string
    name: string
    in: string
    required?: boolean
    description?: string
    example?: unknown
  }[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}

/** What a token can call, in folders by tag, with the examples of the document. It needs the variables `baseUrl` and `token`. */
export function postmanCollection(document: OpenApi, baseUrl: string): PostmanCollection {
  const known = knownValues(document)
  const items = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations as unknown as Record<string, Operation>)
      .filter(([, { deprecated, security }]) => !deprecated && security?.some(mayBeToken))
      .map(([method, operation]) => ({
        tag: operation.tags[0],
        item: itemOf(document, known, path, method, operation),
      })),
  )
  const { title, description } = document.info as { title: string; description: string }
  return {
    info: { name: title, description, schema: SCHEMA },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'Authorization', type: 'string' },
        { key: 'value', value: 'Token {{token}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: baseUrl, type: 'string', description: 'Where Kitlane runs.' },
      {
        key: 'token',
        value: '',
        type: 'secret',
        description: 'A kl_test_… token works in the sandbox. Set it as a current value.',
      },
    ],
    item: document.tags.flatMap(({ name, description: words }) => {
      const inside = items.filter(({ tag }) => tag === name).map(({ item }) => item)
      return inside.length > 0 ? [{ name, ...(words && { description: words }), item: inside }] : []
    }),
  }
}

/** The examples of parameters by name, for routes that have none of their own. */
function knownValues(document: OpenApi): Map<string, string> {
  const operations = Object.values(document.paths).flatMap((one) => Object.values(one)) as unknown as Operation[]
  const parameters = operations.flatMap(({ parameters = [] }) => parameters.map((one) => follow(document, one)))
  return new Map(parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]])))
}

// No token holds the scope of accounts.
const mayBeToken = ({ token }: { token?: string[] }) => token !== undefined

function itemOf(
  document: OpenApi,
  known: ReadonlyMap<string, string>,
  path: string,
  method: string,
  operation: Operation,
): PostmanItem {
  const { operationId, summary = operationId, description = '', requestBody, security = [] } = operation
  const scopes = security.flatMap(({ token = [] }) => token).map((scope) => `\`${scope}\``)
  const parameters = (operation.parameters ?? []).map((one) => follow(document, one))
  const entry = ({ name, in: place, example, description: words }: (typeof parameters)[number]): Entry => ({
    key: name,
    // A parameter of a path may not be empty.
    value: String(example ?? (place === 'path' ? (known.get(name) ?? name) : '')),
    ...(words && { description: words }),
  })
  const of = (place: string) => parameters.filter((one) => one.in === place)
  // Off until somebody turns it on, if the route answers without it.
  const query = of('query').map((one) => ({ ...entry(one), disabled: !one.required }))
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1')
  const queryText = query
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`)
  const example = requestBody?.content['application/json']?.example
  const takesKey = of('header').some(({ name }) => name === 'Idempotency-Key')
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description: [description, ...(scopes.length > 0 ? [`Scope: ${scopes.join(' or ')}.`] : [])].join('\n\n'),
      header: [
        // Another one each time that it is sent by hand.
        ...(takesKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
        ...(example === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: {
        raw: `{{baseUrl}}/${segments}${queryText.length > 0 ? `?${queryText.join('&')}` : ''}`,
        host: ['{{baseUrl}}'],
        path: segments.split('/'),
        query,
        variable: of('path').map(entry),
      },
      ...(example !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
  }
}
