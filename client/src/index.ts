import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from './schema.gen.ts'

export type KitlaneClient = Client<paths>

export interface ClientOptions {
  /** Where Kitlane is, e.g. `https://kits.example.com`. */
  baseUrl: string
  /** A live (`kl_live_…`) or sandbox (`kl_test_…`) token. */
  token: string
  fetch?: (request: Request) => Promise<Response>
}

/** A typed client of the whole API: `client.POST('/api/v1/create-order', { body })`. */
export function createClient({ baseUrl, token, fetch }: ClientOptions): KitlaneClient {
  return createFetchClient<paths>({ baseUrl, fetch, headers: { Authorization: `Token ${token}` } })
}
