import createFetchClient, {
  type Client,
  type ClientPathsWithMethod,
  type MaybeOptionalInit,
  type MethodResponse,
} from 'openapi-fetch'
import type { components, paths } from './schema.gen.ts'

export type { components, paths }

/** Answers are typed as the JSON that routes send by default; for CSV and PDF say `parseAs: 'text'` or `'blob'`. */
export type KitlaneClient = Client<paths, 'application/json'>

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths of the API that have this method. */
export type PathWith<M extends Method> = ClientPathsWithMethod<KitlaneClient, M>

/** Parameters, body and headers of a route; may be undefined where it needs none. */
export type Init<M extends Method, Path extends PathWith<M>> = MaybeOptionalInit<paths[Path], M>

/** What a route answers: `Answer<'get', '/api/v1/orders'>`. */
export type Answer<M extends Method, Path extends PathWith<M>> = MethodResponse<KitlaneClient, M, Path>

/** The query parameters of a GET route. */
export type Query<Path extends PathWith<'get'>> = NonNullable<paths[Path]['get']['parameters']['query']>

export interface ClientOptions {
  baseUrl: string
  /** Left out where a session's cookie says who calls. */
  token?: string
  /** Sent with every request. */
  headers?: Record<string, string>
  fetch?: (request: Request) => Promise<Response>
}

/** Every route by its path and nothing more: no retries, and a refusal is an answer. `Kitlane` is for programs. */
export function createClient({ baseUrl, token, headers, fetch }: ClientOptions): KitlaneClient {
  return createFetchClient<paths, 'application/json'>({
    baseUrl,
    fetch,
    headers: { ...headers, ...(token !== undefined && { Authorization: `Token ${token}` }) },
  })
}
