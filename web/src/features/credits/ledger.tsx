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
import { locale, t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'

const kinds = {
  grant: t('Granted'),
  purchase: t('Credits bought'),
  revoke: t('Revoked'),
  order: t('Spent on an order'),
  refund: t('Refunded'),
  reserve: t('Reserved for a bulk order'),
  capture: t('Spent from a reservation'),
  release: t('Reservation released'),
} as const

const signed = new Intl.NumberFormat(locale(), { signDisplay: 'exceptZero' })

/** Every transaction of credits, newest first. */
export function Ledger() {
  const path = useRealmPath()
  const { nameOf } = usePanels()
  const pages = { pageKey: 'ledgerPage', sizeKey: 'ledgerSize' }
  const state = useListState<Query<'/api/v1/credits/transactions'>>([], pages)
  const ledger = useRead('/api/v1/credits/transactions', { params: { query: state.query } }, { keep: true })
  return (
    <Stack gap="xs" component="section">
      <Group>
        <Title order={2}>{t('Ledger')}</Title>
        <CsvButton path="/api/v1/credits/transactions" filters={{}} />
      </Group>
      <DataTable
        label={t('Ledger')}
        rows={ledger.data?.data}
        error={ledger.error}
        retry={() => void ledger.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('When'), cell: ({ date }) => <RelativeDate value={date} /> },
          { header: t('What'), cell: ({ kind }) => kinds[kind] },
          { header: t('Panel'), cell: ({ type }) => nameOf(type) },
          {
            header: t('Order or note'),
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
          { header: t('Change'), cell: ({ change }) => signed.format(change), align: 'right' },
          { header: t('Balance'), cell: ({ balance }) => balance.toLocaleString(locale()), align: 'right' },
        ]}
        empty={{
          title: t('No transactions yet'),
          text: t('Credits that are granted, spent or refunded are listed here.'),
        }}
      />
      <Pager state={state} pagination={ledger.data?.pagination} />
    </Stack>
  )
}
