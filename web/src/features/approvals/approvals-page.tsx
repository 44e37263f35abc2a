import type { components, Query } from '@kitlane/client'
import { Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

type WaitingOrder = components['schemas']['WaitingOrder']

/** Live orders of all businesses that wait for a provider, oldest first. */
export function ApprovalsPage() {
  const state = useListState<Query<'/operator/v1/approvals'>>(['businessID'])
  const orders = useRead('/operator/v1/approvals', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Approvals')}
        sentence={t(
          'These orders wait for a provider who is licensed where the recipient lives. You decide as the provider with your own e-mail. Nothing was paid for them.',
        )}
      />
      <DataTable
        label={t('Approvals')}
        rows={orders.data?.data}
        error={orders.error}
        retry={() => void orders.refetch()}
        columns={columns}
        rowKey={({ orderID }) => orderID}
        empty={{ title: t('No order waits'), text: t('Orders of panels that need a provider are listed here.') }}
      />
      <Pager state={state} pagination={orders.data?.pagination} />
    </>
  )
}

const columns: Column<WaitingOrder>[] = [
  {
    header: t('Recipient'),
    cell: ({ recipientName, state, country }) => (
      <>
        <Text>{recipientName ?? t('Erased')}</Text>
        <Text size="xs" c="dimmed">
          {[state, country].filter(Boolean).join(', ')}
        </Text>
      </>
    ),
  },
  {
    header: t('Test'),
    cell: ({ items }) => items.map(({ panelName, quantity }) => `${quantity} × ${panelName}`).join(', '),
  },
  {
    header: t('Order'),
    cell: ({ orderID, business, createdDate }) => (
      <>
        <Text>{orderID}</Text>
        <Text size="xs" c="dimmed">
          {business.name} · <RelativeDate value={createdDate} />
        </Text>
      </>
    ),
  },
  { header: t('What to do'), cell: (order) => <Decide order={order} />, hasButtons: true },
]

function Decide({ order: { orderID, mayApprove } }: { order: WaitingOrder }) {
  const [reason, setReason] = useState('')
  const decide = useWrite('post', '/operator/v1/approvals/{orderID}')
  const params = { path: { orderID } }
  return (
    <Group gap="xs">
      <ConfirmButton
        label={t('Approve')}
        size="xs"
        sentence={t('The order is paid and its kits are sent. Your name and NPI stand on it.')}
        blocked={mayApprove ? undefined : t('You are no active provider who is licensed there. Ask an administrator.')}
        action={() => decide.mutateAsync({ params, body: { decision: 'approve' } })}
        done={t('The order was approved')}
      />
      <ConfirmButton
        label={t('Refuse')}
        size="xs"
        isDangerous
        isIncomplete={reason.trim() === ''}
        sentence={t('The order is canceled. Nothing was paid for it. This cannot be undone.')}
        action={() => decide.mutateAsync({ params, body: { decision: 'refuse', reason } })}
        done={t('The order was refused')}
      >
        <TextInput
          label={t('Reason')}
          description={t('The business reads it')}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </ConfirmButton>
    </Group>
  )
}
