import type { KitlaneClient, paths } from '@kitlane/client'
import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { FetchResponse, MaybeOptionalInit } from 'openapi-fetch'
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers'
import { useRealmHeader } from '../app/realm.tsx'
import { BACKGROUND, clientOf } from './client.ts'
import type { Problem } from './problem.ts'

type Init<Path extends keyof paths, Method extends HttpMethod> = MaybeOptionalInit<
  paths[Path],
  Method & keyof paths[Path]
>
type Answer<Path extends keyof paths, Method extends HttpMethod> =
  paths[Path] extends Record<Method, infer Operation>
    ? Operation extends Record<string | number, unknown>
      ? NonNullable<FetchResponse<Operation, object, 'application/json'>['data']>
      : never
    : never

type Call = (path: string, init: unknown) => Promise<{ data?: unknown }>

interface ReadOptions {
  enabled?: boolean
  /** Milliseconds between two reads while the page is looked at; these do not keep the session alive. */
  every?: number | false
  /** Show the former page of a list until the next one is there. */
  keep?: boolean
}

type InitArgument<T> = RequiredKeysOf<NonNullable<T>> extends never ? T | undefined : T

/** What a GET route answers, read in the realm of the page. */
export function useRead<Path extends PathsWithMethod<paths, 'get'>>(
  path: Path,
  ...[init, options]: RequiredKeysOf<NonNullable<Init<Path, 'get'>>> extends never
    ? [init?: Init<Path, 'get'>, options?: ReadOptions]
    : [init: Init<Path, 'get'>, options?: ReadOptions]
): UseQueryResult<Answer<Path, 'get'>, Problem> {
  const realm = useRealmHeader()
  const background = options?.every === undefined ? {} : { headers: BACKGROUND }
  return useQuery<Answer<Path, 'get'>, Problem>({
    queryKey: [realm ?? '', path, init ?? null],
    queryFn: async () => (await call('get', realm)(path, { ...init, ...background })).data as Answer<Path, 'get'>,
    enabled: options?.enabled ?? true,
    refetchInterval: options?.every ?? false,
    ...(options?.keep && { placeholderData: keepPreviousData }),
  })
}

/** A route that changes something. What is on the page is read again afterwards. */
export function useWrite<
  Method extends 'post' | 'put' | 'patch' | 'delete',
  Path extends PathsWithMethod<paths, Method>,
>(method: Method, path: Path): UseMutationResult<Answer<Path, Method>, Problem, InitArgument<Init<Path, Method>>> {
  const realm = useRealmHeader()
  const cache = useQueryClient()
  return useMutation<Answer<Path, Method>, Problem, InitArgument<Init<Path, Method>>>({
    mutationFn: async (init) => (await call(method, realm)(path, init)).data as Answer<Path, Method>,
    onSuccess: () => cache.invalidateQueries({ queryKey: [realm ?? ''] }),
  })
}

// The client's types tie each path to its shapes; here path and shapes are variables, tied by the hooks' own types.
function call(method: HttpMethod, realm: string | undefined): Call {
  const client: KitlaneClient = clientOf(realm)
  return client[method.toUpperCase() as 'GET'] as unknown as Call
}
