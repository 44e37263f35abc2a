import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import type { ListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { Pager } from '../../components/pager.tsx'

interface CriticalListProps<Result> {
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
  { value: 'all', label: 'All' },
]

/** Critical results, those that wait longest first. */
export function CriticalList<Result>({ state, answer, children }: CriticalListProps<Result>) {
  const { data, error, refetch } = answer
  return (
    <>
      <ListToolbar state={state} filters={[{ key: 'state', label: 'Status', options: STATES }]} />
      {error !== null && error !== undefined && data === undefined && (
        <ErrorAlert error={error} retry={() => void refetch()} />
      )}
      {data === undefined && !error && <Skeleton height={240} />}
      {data?.data.length === 0 && (
        <EmptyState title="No critical results" text="Results with which somebody may need help at once wait here." />
      )}
      <Stack>{data?.data.map(children)}</Stack>
      <Pager state={state} pagination={data?.pagination} />
    </>
  )
}
