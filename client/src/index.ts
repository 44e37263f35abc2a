import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.gen.ts'

export type { components, paths }

/** Answers are typed as the JSON that routes send by default; for CSV and PDF say `parseAs: 'text'` or `'blob'`. */
export type KitlaneClient = Client<paths, 'application/json'>

export interface ClientOptions {
  /** Where Kitlane is, e.g. `https://kits.example.com`. */
  baseUrl: string
  /** A live (`kl_live_…`) or sandbox (`kl_test_…`) token. Left out where a session's cookie says who calls. */
  token?: string
  /** Sent with every request. */
  headers?: Record<string, string>
  fetch?: (request: Request) => Promise<Response>
}

/** A typed client of the whole API: `client.POST('/api/v1/create-order', { body })`. */
export function createClient({ baseUrl, token, headers, fetch }: ClientOptions): KitlaneClient {
  return createFetchClient<paths, 'application/json'>({
    baseUrl,
    fetch,
    headers: { ...headers, ...(token !== undefined && { Authorization: `Token ${token}` }) },
  })
}
