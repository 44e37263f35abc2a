import type { Query } from '@kitlane/client'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { LoggedRequest } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealm, useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import type { EmptyStateProps } from '../../components/empty-state.tsx'
import type { Filter } from '../../components/filter-chip.tsx'
import { type ListState, useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ExactTime } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { t } from '../../language/t.ts'
import { answerLabel, methodOptions, searched, statusOptions } from './request-labels.ts'

type RequestQuery = Query<'/api/v1/request-log'>

const EVERY_MS = 3_000
const SIZE = 50

/** What the programs of the business asked for, newest first. */
export function RequestListPage() {
  const state = useListState<RequestQuery & { q?: string }>(['q', 'status', 'method', 'tokenID', 'since', 'until'])
  return (
    <>
      <PageHeader
        title={t('Developers')}
        sentence={t(
          'What your programs asked for with a token, newest first. Bodies, queries and names are never kept.',
        )}
      />
      <DeveloperTabs />
      <ListToolbar state={state} search={t('Path, request ID or error code')} filters={useFilters()} />
      {/* Another filter begins with its newest requests again. */}
      <Requests key={JSON.stringify(state.filters)} state={state} />
    </>
  )
}

/** Only administrators may see the tokens of others. */
function useFilters(): Filter[] {
  const { write } = usePermissions()
  const tokens = useRead('/api/v1/tokens', undefined, { enabled: write })
  const ofTokens = tokens.data?.map(({ id, name, hint }) => ({ value: id, label: `${name} …${hint}` })) ?? []
  return [
    { key: 'status', label: t('Status'), options: statusOptions },
    { key: 'method', label: t('Method'), options: methodOptions },
    ...(ofTokens.length > 0 ? [{ key: 'tokenID', label: t('Token'), options: ofTokens }] : []),
    { kind: 'dates', key: 'date', label: t('When'), from: 'since', to: 'until' },
  ]
}

function Requests({ state }: { state: ListState }) {
  const [cursors, setCursors] = useState<string[]>([])
  const path = useRealmPath()
  const { q, ...filters } = state.filters
  const before = cursors.at(-1)
  const query = {
    ...filters,
    ...searched(q),
    ...(before ? { before } : { latest: 'true' }),
    size: SIZE,
  } as RequestQuery
  const log = useRead(
    '/api/v1/request-log',
    { params: { query } },
    { keep: true, every: before === undefined && EVERY_MS },
  )
  const older = log.data?.before
  return (
    <>
      <DataTable
        label={t('Requests')}
        rows={log.data?.data.toReversed()}
        error={log.error}
        retry={() => void log.refetch()}
        rowKey={({ id }) => id}
        href={({ requestID }) => path('developers', 'requests', requestID)}
        columns={columns}
        empty={useEmptyState(log.data?.keptDays ?? 0, state.isFiltered)}
      />
      <Group mt="sm">
        {before !== undefined && (
          <Button variant="default" onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('Newer')}
          </Button>
        )}
        {older !== undefined && (
          <Button variant="default" onClick={() => setCursors([...cursors, older])}>
            {t('Older')}
          </Button>
        )}
      </Group>
    </>
  )
}

/** Why there is nothing to see. */
function useEmptyState(keptDays: number, isFiltered: boolean): EmptyStateProps {
  const { mode } = useRealm()
  if (keptDays === 0) {
    return {
      title: t('Requests are not kept'),
      text: t('The operator of this service has switched the log of requests off.'),
    }
  }
  if (isFiltered) {
    return {
      title: t('No such request'),
      text: t(
        'Requests are kept for {days, plural, one {a day} other {# days}}. Clear the filter to see all of them.',
        { days: keptDays },
      ),
    }
  }
  return {
    title: t('No requests yet'),
    text:
      mode === 'live'
        ? t(
            'A request that a program makes with a token of live mode appears here within seconds, and stays for {days, plural, one {a day} other {# days}}. What people do in this dashboard is not listed, nor a request with a token that is not valid.',
            { days: keptDays },
          )
        : t(
            'A request that a program makes with a token of the sandbox appears here within seconds, and stays for {days, plural, one {a day} other {# days}}. What people do in this dashboard is not listed, nor a request with a token that is not valid.',
            { days: keptDays },
          ),
  }
}

const columns: Column<LoggedRequest>[] = [
  {
    header: t('Request'),
    cell: ({ method, path, date }) => (
      <>
        <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
          {method} {path ?? t('no such route')}
        </Text>
        <Text size="xs" c="dimmed">
          <ExactTime value={date} />
        </Text>
      </>
    ),
  },
  {
    header: t('Answer'),
    cell: ({ status, code }) => (
      <>
        <StatusDot tone={answerLabel(status).tone}>{answerLabel(status).label}</StatusDot>
        {code && (
          <Text size="xs" c="dimmed">
            {code}
          </Text>
        )}
      </>
    ),
  },
  { header: t('Took'), cell: ({ ms }) => t('{ms} ms', { ms }), align: 'right', isMinor: true },
  { header: t('Token'), cell: ({ token }) => token.name ?? token.id, isMinor: true },
]
