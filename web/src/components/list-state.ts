import { type Search, useSearchState } from '../app/search.ts'

const SIZE = 50

export interface ListState<Query = object> {
  /** The parameters of the list's route: page, size and the filters. */
  query: Query
  page: number
  size: number
  filters: Search
  isFiltered: boolean
  /** The column that the list is sorted by, as its route calls it: `createdDate`, or `-createdDate` downwards. Absent: as it comes. */
  sort: string | undefined
  sortBy: (sort: string | undefined) => void
  /** Changes filters and returns to the first page. */
  filter: (change: Record<string, string | undefined>) => void
  turn: (page: number) => void
  resize: (size: number) => void
}

/**
 * The filters and the page of a list, kept in the URL. `Query` are the parameters of its route, `names` those that are
 * filters; the search is one of them, `q`. The second list of a page calls its page and size otherwise.
 */
export function useListState<Query extends object>(
  names: readonly (keyof Query & string)[] = [],
  { pageKey, sizeKey } = { pageKey: 'page', sizeKey: 'size' },
): ListState<Query> {
  const [search, change] = useSearchState()
  const page = wholeOf(search[pageKey], 0)
  const size = Math.min(wholeOf(search[sizeKey], SIZE), 250) || SIZE
  const filters = Object.fromEntries(
    names.flatMap((name) => {
      const value = search[name]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  return {
    // Filters are text from the URL: the service checks their values, and the page shows what it says.
    query: { ...filters, ...(search.sort && { sort: search.sort }), page, size } as Query,
    page,
    size,
    filters,
    isFiltered: Object.keys(filters).length > 0,
    sort: search.sort || undefined,
    sortBy: (sort) => change({ sort, [pageKey]: undefined }),
    filter: (part) => change({ ...part, [pageKey]: undefined }),
    turn: (to) => change({ [pageKey]: to === 0 ? undefined : String(to) }),
    resize: (to) => change({ [sizeKey]: to === SIZE ? undefined : String(to), [pageKey]: undefined }),
  }
}

function wholeOf(text: string | undefined, fallback: number): number {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : fallback
}
