import type { Query } from '@kitlane/client'
import { Group, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { Shop, ShopOrder } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { reasonText, shopOrderLabel, shopOrderOptions, trackingProblem } from './labels.ts'
import { OrderFixes } from './order-fixes.tsx'

/** What became of the orders of a shop, and what those that wait need. */
export function ShopOrders({ shop }: { shop: Shop }) {
  const path = useRealmPath()
  const { write } = usePermissions()
  const state = useListState<Query<'/api/v1/shops/{shopID}/orders'>>(['status'])
  const params = { path: { shopID: shop.shopID }, query: state.query }
  const orders = useRead('/api/v1/shops/{shopID}/orders', { params }, { keep: true })
  return (
    <>
      <ListToolbar state={state} filters={[{ key: 'status', label: t('Status'), options: shopOrderOptions }]} />
      <DataTable
        label={t('Orders of the shop')}
        rows={orders.data?.data}
        error={orders.error}
        retry={() => void orders.refetch()}
        rowKey={({ shopOrderID }) => shopOrderID}
        columns={columnsOf((orderId) => path('orders', orderId), write)}
        empty={
          state.isFiltered
            ? { title: t('No matching orders'), text: t('Clear the filter to see all orders.') }
            : {
                title: t('No orders yet'),
                text: t('Each order of the shop is listed here as soon as the shop sends it.'),
              }
        }
      />
      <Pager state={state} pagination={orders.data?.pagination} />
    </>
  )
}

const columnsOf = (pathOf: (orderId: string) => string, write: boolean): Column<ShopOrder>[] => [
  {
    header: t('Order in the shop'),
    cell: ({ number, orderId, recipientName }) => (
      <>
        {orderId ? <PageLink to={pathOf(orderId)}>{number}</PageLink> : number}
        <Text size="xs" c="dimmed">
          {recipientName}
        </Text>
      </>
    ),
  },
  {
    header: t('Status'),
    cell: (order) => (
      <>
        <StatusDot tone={shopOrderLabel(order).tone}>{shopOrderLabel(order).label}</StatusDot>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[reasonText(order), unknownIn(order), trackingProblem(order)].filter(Boolean).join('. ')}
        </Text>
        {write && (
          <Group gap="xs" mt={4}>
            <OrderFixes order={order} />
          </Group>
        )}
      </>
    ),
  },
  { header: t('Received'), cell: ({ createdDate }) => <RelativeDate value={createdDate} />, isMinor: true },
]

const unknownIn = ({ unknownItems = [] }: ShopOrder): string =>
  unknownItems.map(({ sku, title }) => (sku ? `${title} (${sku})` : title)).join(', ')
