import { type Search, useSearchState } from '../app/search.ts'

const SIZE = 50

export interface ListState {
  /** What goes to the API: page, size, q and the filters. `never`: text from the URL, which the service checks and not a type. */
  query: never
  page: number
  size: number
  filters: Search
  isFiltered: boolean
  /** Changes filters; the list begins again at its first page. */
  filter: (change: Record<string, string | undefined>) => void
  turn: (page: number) => void
  resize: (size: number) => void
}

/** A list's search, filters and page, held by the URL. `keys` are the filters of this list; `q` is the search. */
export function useListState(keys: readonly string[]): ListState {
  const [search, change] = useSearchState()
  const page = wholeOf(search.page, 0)
  const size = Math.min(wholeOf(search.size, SIZE), 250) || SIZE
  const filters = Object.fromEntries(
    ['q', ...keys].flatMap((key) => {
      const value = search[key]
      return value === undefined || value === '' ? [] : [[key, value]]
    }),
  )
  return {
    query: { ...filters, page, size } as never,
    page,
    size,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    filter: (part) => change({ ...part, page: undefined }),
    turn: (to) => change({ page: to === 0 ? undefined : String(to) }),
    resize: (to) => change({ size: to === SIZE ? undefined : String(to), page: undefined }),
  }
}

function wholeOf(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : fallback
}
