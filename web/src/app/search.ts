import { useNavigate, useSearch } from '@tanstack/react-router'

export type Search = Record<string, string>

/** Filters, page and tab are text in the URL; no value is converted to a number. */
export function parseSearch(text: string): Search {
  const entries = [...new URLSearchParams(text)]
  // A word without a value, as in `?board`, is a switch that is on.
  return Object.fromEntries(entries.map(([key, value]) => [key, value || (text.includes(`${key}=`) ? '' : '1')]))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()
  return text && `?${text}`
}

/** The view state of a page and a function that changes part of it; `undefined` removes a key. */
export function useSearchState(): [Search, (change: Record<string, string | undefined>) => void] {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (part: Record<string, string | undefined>) => {
    void navigate({ to: '.', search: { ...search, ...part }, replace: true })
  }
  return [search, change]
}
