import type { Query } from '@kitlane/client'
import { Group, Stack, Title } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { CsvButton } from '../../components/csv-button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { usePanels } from '../catalogue/use-panels.ts'

const kinds = {
  grant: 'Granted',
  revoke: 'Revoked',
  order: 'Spent on an order',
  refund: 'Refunded',
  reserve: 'Reserved for a bulk order',
  capture: 'Spent from a reservation',
  release: 'Reservation released',
} as const

const signed = new Intl.NumberFormat('en', { signDisplay: 'exceptZero' })

/** Every transaction of credits, newest first. */
export function Ledger() {
  const path = useRealmPath()
  const { nameOf } = usePanels()
  const state = useListState<Query<'/api/v1/credits/transactions'>>()
  const ledger = useRead('/api/v1/credits/transactions', { params: { query: state.query } }, { keep: true })
  return (
    <Stack gap="xs" component="section">
      <Group>
        <Title order={2}>Ledger</Title>
        <CsvButton path="/api/v1/credits/transactions" filters={{}} />
      </Group>
      <DataTable
        label="Ledger"
        rows={ledger.data?.data}
        error={ledger.error}
        retry={() => void ledger.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: 'When', cell: ({ date }) => <RelativeDate value={date} /> },
          { header: 'What', cell: ({ kind }) => kinds[kind] },
          { header: 'Panel', cell: ({ type }) => nameOf(type) },
          {
            header: 'Order or note',
            cell: ({ orderID, note }) =>
              orderID ? (
                <PageLink to={path('orders', orderID)} ff="monospace" size="sm">
                  {orderID}
                </PageLink>
              ) : (
                (note ?? '–')
              ),
            isMinor: true,
          },
          { header: 'Change', cell: ({ change }) => signed.format(change), align: 'right' },
          { header: 'Balance', cell: ({ balance }) => balance.toLocaleString('en'), align: 'right' },
        ]}
        empty={{ title: 'No transactions yet', text: 'Credits that are granted, spent or refunded are listed here.' }}
      />
      <Pager state={state} pagination={ledger.data?.pagination} />
    </Stack>
  )
}
