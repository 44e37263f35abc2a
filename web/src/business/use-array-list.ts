import { useQuery } from '@tanstack/react-query'
import { fetchRaw } from '../api/client.ts'
import type { Problem } from '../api/problem.ts'
import type { Kit, ListedCustomer } from '../api/shapes.ts'
import { useRealmHeader } from '../app/realm.tsx'
import type { ListState } from '../components/list-state.ts'

interface Lists {
  '/api/v1/kits': Kit
  '/api/v1/customers': ListedCustomer
}

/** A page of a list whose answer is an array: how many there are stands in a header. */
export function useArrayList<Path extends keyof Lists>(path: Path, state: ListState) {
  const realm = useRealmHeader()
  const query = new URLSearchParams({ ...state.filters, page: String(state.page), size: String(state.size) })
  return useQuery<{ rows: Lists[Path][]; pagination: { total: number; totalPages: number } }, Problem>({
    queryKey: [realm ?? '', path, query.toString()],
    placeholderData: (former) => former,
    queryFn: async () => {
      const response = await fetchRaw(realm, `${path}?${query}`)
      const rows: Lists[Path][] = await response.json()
      const total = Number(response.headers.get('x-total-count') ?? rows.length)
      return { rows, pagination: { total, totalPages: Math.ceil(total / state.size) } }
    },
  })
}
