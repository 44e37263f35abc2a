import { useQuery } from '@tanstack/react-query'
import { fetchRaw } from '../api/client.ts'
import type { Problem } from '../api/problem.ts'
import type { Kit } from '../api/shapes.ts'
import { useRealmHeader } from '../app/realm.tsx'
import type { ListState } from '../components/list-state.ts'

/** A page of kits. The answer is an array; how many there are stands in a header. */
export function useKits(state: ListState) {
  const realm = useRealmHeader()
  const query = new URLSearchParams({ ...state.filters, page: String(state.page), size: String(state.size) })
  return useQuery<{ rows: Kit[]; pagination: { total: number; totalPages: number } }, Problem>({
    queryKey: [realm ?? '', '/api/v1/kits', query.toString()],
    placeholderData: (former) => former,
    queryFn: async () => {
      const response = await fetchRaw(realm, `/api/v1/kits?${query}`)
      const rows: Kit[] = await response.json()
      const total = Number(response.headers.get('x-total-count') ?? rows.length)
      return { rows, pagination: { total, totalPages: Math.ceil(total / state.size) } }
    },
  })
}
