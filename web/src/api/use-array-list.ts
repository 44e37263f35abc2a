import type { Answer, Query } from '@kitlane/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRealmHeader } from '../app/realm.tsx'
import type { ListState } from '../components/list-state.ts'
import { requestIn } from './hooks.ts'
import type { Problem } from './problem.ts'

type ArrayPath = '/api/v1/kits' | '/api/v1/customers'

interface ArrayPage<Path extends ArrayPath> {
  rows: Answer<'get', Path>
  pagination: { total: number; totalPages: number }
}

/** A page of a list that answers with an array: the number of all rows is in a header. `asked` is not of the view. */
export function useArrayList<Path extends ArrayPath>(
  path: Path,
  { query: shown, size }: ListState<Query<Path>>,
  filters?: Query<Path>,
) {
  const query = { ...shown, ...filters }
  const realm = useRealmHeader()
  return useQuery<ArrayPage<Path>, Problem>({
    queryKey: [realm ?? '', path, query],
    placeholderData: keepPreviousData,
    queryFn: async () => {
      const { data: rows, response } = await requestIn(realm)('get', path, { params: { query } })
      const total = Number(response.headers.get('x-total-count') ?? rows.length)
      return { rows, pagination: { total, totalPages: Math.ceil(total / size) } }
    },
  })
}
