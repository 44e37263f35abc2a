import type { Query } from '@kitlane/client'
import { Group, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { DataRequest } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

/** What people asked for on their own pages: a copy of their data, or its erasure. */
export function DataRequestsPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const state = useListState<Query<'/api/v1/data-requests'>>(['status', 'kind'])
  const requests = useRead('/api/v1/data-requests', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Requests of people')}
        crumbs={[['customers', t('Customers')]]}
        sentence={t(
          'On their own pages people ask for a copy of their data, or for its erasure. They read your answer there.',
        )}
      />
      <ListToolbar state={state} filters={filters} />
      <DataTable
        label={t('Requests of people')}
        rows={requests.data?.data}
        error={requests.error}
        retry={() => void requests.refetch()}
        columns={columnsOf((id) => path('customers', String(id)), write)}
        state={state}
        rowKey={({ dataRequestID }) => dataRequestID}
        empty={
          state.isFiltered
            ? { title: t('No matching requests'), text: t('Clear the filter to see all requests.') }
            : { title: t('No requests'), text: t('Nobody has asked for their data, or for its erasure.') }
        }
      />
      <Pager state={state} pagination={requests.data?.pagination} />
    </>
  )
}

const kindWords = { copy: t('A copy of their data'), erasure: t('Erasure') } as const

const statusLabels: Record<DataRequest['status'], StatusLabel> = {
  open: { label: t('Waits for you'), tone: 'fair' },
  granted: { label: t('Copy given'), tone: 'good' },
  refused: { label: t('Refused'), tone: 'idle' },
}

const filters = [
  {
    key: 'status',
    label: t('Status'),
    options: Object.entries(statusLabels).map(([value, { label }]) => ({ value, label })),
  },
  {
    key: 'kind',
    label: t('Asks for'),
    options: Object.entries(kindWords).map(([value, label]) => ({ value, label })),
  },
]

const columnsOf = (pathOf: (customerID: number) => string, isWriter: boolean): Column<DataRequest>[] => [
  {
    header: t('Person'),
    cell: ({ customerID, name }) => <PageLink to={pathOf(customerID)}>{name}</PageLink>,
  },
  { header: t('Asks for'), cell: ({ kind }) => kindWords[kind] },
  {
    header: t('Status'),
    cell: ({ status, reason }) => (
      <>
        <StatusDot tone={statusLabels[status].tone}>{statusLabels[status].label}</StatusDot>
        {reason && (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </>
    ),
  },
  { header: t('Asked'), cell: ({ requestedDate }) => <RelativeDate value={requestedDate} />, isMinor: true },
  { header: t('Answer by'), cell: ({ answerByDate }) => dayOf(answerByDate) },
  {
    header: t('Answer'),
    hasButtons: true,
    cell: (request) => isWriter && request.status === 'open' && <Answer request={request} />,
    align: 'right',
  },
]

function Answer({ request }: { request: DataRequest }) {
  const { dataRequestID, kind, name } = request
  const params = { params: { path: { dataRequestID } } }
  const copy = useWrite('post', '/api/v1/data-requests/{dataRequestID}/copy')
  const erase = useWrite('post', '/api/v1/data-requests/{dataRequestID}/erasure')
  const refuse = useWrite('post', '/api/v1/data-requests/{dataRequestID}/refusal')
  const [reason, setReason] = useState('')
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {kind === 'copy' ? (
        <ConfirmButton
          label={t('Give the copy')}
          sentence={t(
            '{name} gets an e-mail, and can download the copy for 30 days on their pages. It has what is published.',
            { name },
          )}
          action={() => copy.mutateAsync(params)}
          done={t('The copy can be downloaded')}
          size="compact-sm"
        />
      ) : (
        <ConfirmButton
          label={t('Erase')}
          isDangerous
          typed={name}
          sentence={t(
            'Name, contact details, reports, uploaded files and answers are deleted permanently. Kits and orders stay, without the person. This cannot be undone.',
          )}
          action={() => erase.mutateAsync(params)}
          done={t('The customer was erased')}
          size="compact-sm"
        />
      )}
      <ConfirmButton
        label={t('Refuse')}
        sentence={t('{name} gets an e-mail, and reads your reason on their pages.', { name })}
        action={() => refuse.mutateAsync({ ...params, body: { reason } })}
        done={t('The request is refused')}
        isIncomplete={reason.trim() === ''}
        size="compact-sm"
      >
        <Textarea
          label={t('Reason')}
          autosize
          minRows={3}
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmButton>
    </Group>
  )
}
