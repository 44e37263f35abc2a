import { Skeleton, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import { t } from '../language/t.ts'
import { ChooseColumns, useHiddenColumns } from './columns.tsx'
import css from './data-table.module.css'
import { EmptyState, type EmptyStateProps } from './empty-state.tsx'
import { ErrorAlert } from './error-alert.tsx'
import type { ListState } from './list-state.ts'
import type { Selection } from './selection.tsx'
import { Head, SelectAll, SelectOne } from './table-head.tsx'

export interface Column<Row> {
  header: string
  cell: (row: Row) => ReactNode
  /** For numbers. */
  align?: 'right'
  /** Left out on a phone. */
  isMinor?: boolean
  /** Buttons: on a phone they stand below the rest of their row, where none is cut off. */
  hasButtons?: boolean
  /** Long texts: on a phone they stand there too, with their header. */
  isBelow?: boolean
  /** What nobody may overlook: it cannot be hidden. */
  isFixed?: boolean
  /** What the route calls it as an order, where the list can be sorted by it: the newest first, unless another way is asked. */
  sort?: string
  /** The columns of a CSV that say the same. */
  csv?: readonly string[]
}

interface DataTableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string
  rows: readonly Row[] | undefined
  error?: unknown
  retry?: () => void
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** The path of a row's page, below /app; the first cell becomes its link. */
  href?: (row: Row) => string
  empty: EmptyStateProps
  /** How many rows are expected, for the height of the skeleton. */
  expected?: number
  /** Of the list: columns with `sort` then sort it. */
  state?: Pick<ListState, 'sort' | 'sortBy'>
  /** Rows can be selected; `nameOf` says which, for screen readers. */
  selection?: Selection & { nameOf: (row: Row) => string }
}

// What scrolls sideways must be reachable by keyboard; rows that are links already are.
const REACHABLE = { tabIndex: 0, role: 'region', 'aria-label': t('Table, scrolls sideways') }

/** Rows that open on click or Enter, in a new tab with Ctrl, ⌘ or the middle button; arrow keys move between them. */
export function DataTable<Row>({
  label,
  rows,
  error,
  retry,
  columns: all,
  rowKey,
  href,
  empty,
  expected,
  state,
  selection,
}: DataTableProps<Row>) {
  const navigate = useNavigate()
  const [hidden] = useHiddenColumns(label)
  const hasChoice = href !== undefined && all.length > 3
  // The first is the link of the row.
  const choosable = hasChoice ? all.slice(1).filter(({ isFixed }) => !isFixed) : []
  const isPhone = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const shown = all.filter((column) => !(choosable.includes(column) && hidden.includes(column.header)))
  const below = shown.filter(({ hasButtons, isBelow }) => isPhone && (hasButtons || isBelow))
  const columns = shown.filter((column) => !below.includes(column))
  if (error && rows === undefined) return <ErrorAlert error={error} retry={retry} />
  if (rows?.length === 0) return <EmptyState {...empty} />
  const open = (row: Row) => (event: MouseEvent<HTMLTableRowElement>) => {
    if (href === undefined || isControl(event.target)) return
    const wantsTab = event.metaKey || event.ctrlKey || event.button === 1
    if (wantsTab) window.open(`/app${href(row)}`, '_blank', 'noopener')
    else void navigate({ to: href(row) })
  }
  return (
    <div className={css.frame} data-wide>
      {/* What is shown is from before. */}
      {error !== undefined && error !== null && <ErrorAlert error={error} retry={retry} />}
      <Table.ScrollContainer minWidth={0} type="native" {...(href === undefined && REACHABLE)}>
        <Table aria-label={label} aria-busy={rows === undefined} verticalSpacing="var(--k-row)" onKeyDown={walk}>
          <Table.Thead>
            <Table.Tr>
              {selection && (
                <Table.Th className={css.choose}>
                  <SelectAll keys={rows?.map(rowKey) ?? []} selection={selection} />
                </Table.Th>
              )}
              {columns.map((column) => (
                <Head key={column.header} column={column} state={state} />
              ))}
              {hasChoice && (
                <Table.Th className={columnsCell}>
                  <ChooseColumns list={label} headers={choosable.map(({ header }) => header)} />
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows === undefined && (
              <SkeletonRows count={expected ?? 8} columns={columns.length + (selection ? 1 : 0)} />
            )}
            {rows?.map((row) => (
              <Fragment key={rowKey(row)}>
                <Table.Tr
                  className={href ? css.row : undefined}
                  data-above={below.length > 0 || undefined}
                  onClick={open(row)}
                  onAuxClick={open(row)}
                  aria-selected={selection?.keys.has(rowKey(row))}
                >
                  {selection && (
                    <Table.Td className={css.choose}>
                      <SelectOne rowKey={rowKey(row)} name={selection.nameOf(row)} selection={selection} />
                    </Table.Td>
                  )}
                  {columns.map(({ header, cell, align, isMinor }, index) => (
                    <Table.Td key={header} ta={align} className={isMinor ? css.minor : undefined}>
                      {href && index === 0 ? (
                        <Link to={href(row)} className={css.link} data-row-link>
                          {cell(row)}
                        </Link>
                      ) : (
                        cell(row)
                      )}
                    </Table.Td>
                  ))}
                  {hasChoice && <Table.Td className={columnsCell} />}
                </Table.Tr>
                {below.length > 0 && (
                  <Table.Tr>
                    <Table.Td colSpan={columns.length + (selection ? 1 : 0)}>
                      {below.map(({ header, cell, isBelow }) => (
                        <div key={header}>
                          {isBelow && (
                            <Text size="xs" c="dimmed">
                              {header}
                            </Text>
                          )}
                          {cell(row)}
                        </div>
                      ))}
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
}

const columnsCell = `${css.choose} ${css.columns}`

function SkeletonRows({ count, columns }: { count: number; columns: number }) {
  return Array.from({ length: count }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={12} my={5} width={column === 0 ? '70%' : '45%'} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, select') !== null
}

function walk(event: KeyboardEvent<HTMLTableElement>) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')]
  const index = links.indexOf(document.activeElement as HTMLElement)
  const next = links[index + (event.key === 'ArrowDown' ? 1 : -1)]
  if (index < 0 || next === undefined) return
  event.preventDefault()
  next.focus()
}
