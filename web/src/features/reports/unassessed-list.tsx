import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import type { ListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { Pager } from '../../components/pager.tsx'

interface UnassessedListProps<Result> {
  state: ListState
  answer: {
    data?: { data: readonly Result[]; pagination: { total: number; totalPages: number } } | undefined
    error: unknown
    refetch: () => unknown
  }
  children: (result: Result) => ReactNode
}

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
]

/** Results that could not be assessed, critical first: open or closed. */
export function UnassessedList<Result>({ state, answer, children }: UnassessedListProps<Result>) {
  const { data, error, refetch } = answer
  return (
    <>
      <ListToolbar state={state} filters={[{ key: 'state', label: 'Status', options: STATES }]} />
      {error !== null && error !== undefined && data === undefined && (
        <ErrorAlert error={error} retry={() => void refetch()} />
      )}
      {data === undefined && !error && <Skeleton height={240} />}
      {data?.data.length === 0 && (
        <EmptyState
          title="Nothing to follow up"
          text="Results that were received and could not be assessed are listed here."
        />
      )}
      <Stack>{data?.data.map(children)}</Stack>
      <Pager state={state} pagination={data?.pagination} />
    </>
  )
}
