import { Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../language/t.ts'
import { EmptyState } from './empty-state.tsx'
import { ErrorAlert } from './error-alert.tsx'
import type { ListState } from './list-state.ts'
import { ListToolbar } from './list-toolbar.tsx'
import { Pager } from './pager.tsx'

interface ResultListProps<Result> {
  state: ListState
  /** What the list may be narrowed to. */
  states: readonly { value: string; label: string }[]
  empty: { title: string; text: string }
  answer: {
    data?: { data: readonly Result[]; pagination: { total: number; totalPages: number } } | undefined
    error: unknown
    refetch: () => unknown
  }
  children: (result: Result) => ReactNode
}

/** Results that a person has to do something about, in the order of the answer. */
export function ResultList<Result>({ state, states, empty, answer, children }: ResultListProps<Result>) {
  const { data, error, refetch } = answer
  return (
    <>
      <ListToolbar state={state} filters={[{ key: 'state', label: t('Status'), options: states }]} />
      {error !== null && error !== undefined && data === undefined && (
        <ErrorAlert error={error} retry={() => void refetch()} />
      )}
      {data === undefined && !error && <Skeleton height={240} />}
      {data?.data.length === 0 && <EmptyState {...empty} />}
      <Stack>{data?.data.map(children)}</Stack>
      <Pager state={state} pagination={data?.pagination} />
    </>
  )
}
