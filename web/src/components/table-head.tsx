import { Checkbox, Table, UnstyledButton } from '@mantine/core'
import { t } from '../language/t.ts'
import css from './data-table.module.css'
import { Icon } from './icon.tsx'
import type { ListState } from './list-state.ts'
import type { Selection } from './selection.tsx'

interface HeadProps {
  column: { header: string; align?: 'right'; isMinor?: boolean; sort?: string }
  state: Pick<ListState, 'sort' | 'sortBy'> | undefined
}

/** The head of a column; a button where the list can be sorted by it. */
export function Head({ column: { header, align, isMinor, sort }, state }: HeadProps) {
  const way = sort && state ? wayOf(sort, state.sort) : undefined
  return (
    <Table.Th ta={align} className={isMinor ? css.minor : undefined} scope="col" aria-sort={way}>
      {state && way ? (
        <UnstyledButton
          className={css.sort}
          onClick={() => state.sortBy(way === 'descending' ? sort : undefined)}
          title={
            way === 'descending' ? t('Newest first. Show the oldest first') : t('Oldest first. Show the newest first')
          }
        >
          {header}
          <span className={way === 'ascending' ? css.up : undefined}>
            <Icon name="down" size={12} />
          </span>
        </UnstyledButton>
      ) : (
        header
      )}
    </Table.Th>
  )
}

/** Without a word in the address, a list is sorted by when its rows were made, the newest first. */
const wayOf = (column: string, sort: string | undefined): 'ascending' | 'descending' =>
  sort === column ? 'ascending' : 'descending'

export function SelectAll({ keys, selection }: { keys: readonly (string | number)[]; selection: Selection }) {
  const count = keys.filter((key) => selection.keys.has(key)).length
  return (
    <Checkbox
      size="xs"
      aria-label={t('Select all on this page')}
      checked={keys.length > 0 && count === keys.length}
      indeterminate={count > 0 && count < keys.length}
      disabled={keys.length === 0}
      onChange={(event) => selection.set(keys, event.currentTarget.checked)}
    />
  )
}

interface SelectOneProps {
  rowKey: string | number
  name: string
  selection: Selection
}

export function SelectOne({ rowKey, name, selection }: SelectOneProps) {
  return (
    <Checkbox
      size="xs"
      aria-label={t('Select {name}', { name })}
      checked={selection.keys.has(rowKey)}
      onChange={(event) => selection.set([rowKey], event.currentTarget.checked)}
    />
  )
}
