import type { Answer, Init, Method, PathWith } from '@kitlane/client'
import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRealmHeader } from '../app/realm.tsx'
import { BACKGROUND, clientOf } from './client.ts'
import type { Problem } from './problem.ts'

interface ReadOptions {
  enabled?: boolean
  /** Milliseconds between two requests while the page is visible; these do not keep the session alive. */
  every?: number | false
  /** Milliseconds for which an answer is as good as a new one. Default 5 s. */
  fresh?: number
  /** Show the previous page of a list until the next one has arrived. */
  keep?: boolean
}

/** What a GET route answers in the realm of the page. */
export function useRead<Path extends PathWith<'get'>>(
  path: Path,
  ...[init, options]: undefined extends Init<'get', Path>
    ? [init?: Init<'get', Path>, options?: ReadOptions]
    : [init: Init<'get', Path>, options?: ReadOptions]
): UseQueryResult<Answer<'get', Path>, Problem> {
  const realm = useRealmHeader()
  const background = options?.every === undefined ? {} : { headers: BACKGROUND }
  return useQuery({
    queryKey: [realm ?? '', path, init ?? null],
    queryFn: async () => (await requestIn(realm)('get', path, { ...init, ...background })).data,
    enabled: options?.enabled ?? true,
    refetchInterval: options?.every ?? false,
    ...(options?.fresh !== undefined && { staleTime: options.fresh }),
    ...(options?.keep && { placeholderData: keepPreviousData }),
  })
}

interface Afterwards<Data> {
  onSuccess?(data: Data): void
  onError?(problem: Problem): void
}

// Of each state apart, so that `isSuccess` still says that there is `data`.
type WithoutMutate<Result> = Result extends unknown ? Omit<Result, 'mutate'> : never

type Write<Data, Variables> = WithoutMutate<UseMutationResult<Data, Problem, Variables>> & {
  /** `afterwards` is called although the component may be gone by then, such as a form that is rebuilt from what was saved. */
  mutate(init: Variables, afterwards?: Afterwards<Data>): void
}

/** A route that changes something. Everything the page shows is read again afterwards. */
export function useWrite<M extends Exclude<Method, 'get'>, Path extends PathWith<M>>(
  method: M,
  path: Path,
): Write<Answer<M, Path>, Init<M, Path>> {
  const realm = useRealmHeader()
  const cache = useQueryClient()
  const mutation = useMutation<Answer<M, Path>, Problem, Init<M, Path>>({
    mutationFn: async (init) => (await requestIn(realm)(method, path, init)).data,
    onSuccess: () => cache.invalidateQueries({ queryKey: [realm ?? ''] }),
  })
  return {
    ...mutation,
    mutate: (init, { onSuccess, onError } = {}) => {
      mutation.mutateAsync(init).then(onSuccess, onError ?? (() => undefined))
    },
  }
}

type Request = <M extends Method, Path extends PathWith<M>>(
  method: M,
  path: Path,
  init: object | undefined,
) => Promise<{ data: Answer<M, Path>; response: Response }>

// The client's own signature, without `init`: TypeScript cannot resolve that while the path is a type variable, and the
// hooks have checked it. `data` is always there, because the client throws on a refusal.
export const requestIn = (realm: string | undefined) => clientOf(realm).request as Request
