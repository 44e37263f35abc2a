import type { OperatorScope } from '../../src/domain/scopes.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import type { Reply } from './caller.ts'
import type { World } from './world.ts'

/** Sends a request below /operator/v1. Text and bytes are sent unchanged. */
export type Operator = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>

export async function operatorToken(world: World, scopes: readonly OperatorScope[]): Promise<string> {
  const made = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'machine', scopes }),
  )
  return made.token
}

/** Creates an operator token and a function that sends requests with it. */
export async function operatorWith(world: World, scopes: readonly OperatorScope[]): Promise<Operator> {
  const token = await operatorToken(world, scopes)
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${world.service.url}/operator/v1${path}`, {
      method,
      headers: {
        authorization: `Token ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return { status: response.status, headers: response.headers, text, body: isJson && text ? JSON.parse(text) : text }
  }
}
