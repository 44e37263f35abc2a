import { Button, CloseButton, Group, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../language/t.ts'
import { CsvButton } from './csv-button.tsx'
import { type Filter, FilterChip } from './filter-chip.tsx'
import { Icon } from './icon.tsx'
import type { ListState } from './list-state.ts'
import { SavedViews } from './saved-views.tsx'

interface ListToolbarProps {
  state: ListState
  /** What the search understands: "ID, e-mail or name". Without it there is no search. */
  search?: string
  filters?: readonly Filter[]
  /** The route that also answers the filtered list as CSV. */
  csv?: string
  /** The columns of a CSV that the list shows now: offered beside all columns. */
  shown?: readonly string[]
  /** Other filters, before the chips. */
  children?: ReactNode
}

// Long enough to type a word in one go, short enough to feel immediate.
const TYPING_MS = 250

/** Search (press / to reach it), one chip for each filter, CSV of what is filtered. */
export function ListToolbar({ state, search, filters = [], csv, shown, children }: ListToolbarProps) {
  return (
    <Group gap="xs" mb="sm" className="no-print">
      {search && <SearchField state={state} placeholder={search} />}
      {children}
      {filters.map((filter) => (
        <FilterChip key={filter.key} filter={filter} state={state} />
      ))}
      {state.isFiltered && (
        <Button
          variant="subtle"
          size="xs"
          onClick={() => state.filter(Object.fromEntries(Object.keys(state.filters).map((key) => [key, undefined])))}
        >
          {t('Clear')}
        </Button>
      )}
      {filters.length > 0 && <SavedViews state={state} />}
      {csv && <CsvButton path={csv} filters={sorted(state)} shown={shown} />}
    </Group>
  )
}

const sorted = ({ filters, sort }: ListState) => ({ ...filters, ...(sort && { sort }) })

function SearchField({ state, placeholder }: { state: ListState; placeholder: string }) {
  const inUrl = state.filters.q ?? ''
  const [text, setText] = useState(inUrl)
  const field = useRef<HTMLInputElement>(null)
  const sent = useRef(inUrl)
  useHotkeys([['/', () => field.current?.focus()]])
  useEffect(() => {
    // Back and forward change the URL under the field.
    if (inUrl !== sent.current) setText(inUrl)
    sent.current = inUrl
  }, [inUrl])
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.trim() === sent.current) return
      sent.current = text.trim()
      state.filter({ q: text.trim() || undefined })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <TextInput
      ref={field}
      w={280}
      size="xs"
      type="search"
      aria-label={t('Search')}
      placeholder={placeholder}
      leftSection={<Icon name="search" size={14} />}
      rightSection={text && <CloseButton size="xs" onClick={() => setText('')} aria-label={t('Clear the search')} />}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  )
}
