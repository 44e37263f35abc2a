import type { Query } from '@kitlane/client'
import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Order } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { moneyOf } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { usePanels } from '../catalogue/use-panels.ts'
import { kitStatusOptions, sampleStatusOptions } from '../kits/labels.ts'
import { orderLabel } from './labels.ts'

const statuses = [
  { value: 'created', label: 'Placed' },
  { value: 'pending', label: 'Not paid' },
  { value: 'canceled', label: 'Canceled' },
]

export function OrderListPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const { options, nameOf } = usePanels()
  const state = useListState<Query<'/api/v1/orders'>>([
    'q',
    'status',
    'kitStatus',
    'sampleStatus',
    'sku',
    'orderDateStart',
    'orderDateEnd',
  ])
  const orders = useRead('/api/v1/orders', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title="Orders"
        actions={
          write && (
            <>
              <Button variant="default" component={Link} to={path('bulk', 'new')}>
                Order by CSV
              </Button>
              <Button component={Link} to={path('orders', 'new')}>
                New order
              </Button>
            </>
          )
        }
      />
      <ListToolbar
        state={state}
        search="Order ID, e-mail or name"
        filters={[
          { key: 'status', label: 'Order', options: statuses },
          { key: 'kitStatus', label: 'Kit', options: kitStatusOptions },
          { key: 'sampleStatus', label: 'Sample', options: sampleStatusOptions },
          { key: 'sku', label: 'Panel', options },
          { kind: 'dates', key: 'date', label: 'Ordered', from: 'orderDateStart', to: 'orderDateEnd' },
        ]}
        csv="/api/v1/orders"
      />
      <DataTable
        label="Orders"
        rows={orders.data?.data}
        error={orders.error}
        retry={() => void orders.refetch()}
        columns={columnsOf(nameOf)}
        rowKey={({ orderID }) => orderID}
        href={({ orderID }) => path('orders', orderID)}
        empty={
          state.isFiltered
            ? { title: 'No matching orders', text: 'Clear a filter, or search for something else.' }
            : {
                title: 'No orders yet',
                text: 'An order sends one or more kits to one person. It is paid with credits or by card.',
                action: write && (
                  <Button component={Link} to={path('orders', 'new')}>
                    Place the first order
                  </Button>
                ),
              }
        }
      />
      <Pager state={state} pagination={orders.data?.pagination} />
    </>
  )
}

/** The price of an unpaid order; on a phone, where the column of panels is left out, also its panels. */
function ToPay({ order: { payment }, panels }: { order: Order; panels: string }) {
  const { amount, currency } = payment
  return (
    <>
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {panels}
      </Text>
      {amount !== undefined && currency && (
        <Text size="xs" c="dimmed">
          {moneyOf(amount, currency)}
        </Text>
      )}
    </>
  )
}

function columnsOf(nameOf: (kitType: string) => string): Column<Order>[] {
  const panelsOf = ({ items }: Order) =>
    items
      .map(({ kitType, quantity }) => (quantity > 1 ? `${nameOf(kitType)} × ${quantity}` : nameOf(kitType)))
      .join(', ')
  return [
    {
      header: 'Recipient',
      cell: ({ recipientName, recipientEmail }) => (
        <>
          {recipientName ?? 'Erased'}
          <Text size="xs" c="dimmed">
            {recipientEmail}
          </Text>
        </>
      ),
    },
    {
      header: 'Status',
      cell: (order) => (
        <>
          <StatusDot tone={orderLabel(order).tone}>{orderLabel(order).label}</StatusDot>
          {order.status === 'pending' && <ToPay order={order} panels={panelsOf(order)} />}
        </>
      ),
    },
    {
      header: 'Panels',
      isMinor: true,
      cell: panelsOf,
    },
    { header: 'Kits', cell: ({ quantity }) => quantity, align: 'right', isMinor: true },
    { header: 'Your ID', cell: ({ externalID }) => externalID ?? '–', isMinor: true },
    {
      header: 'Ordered',
      cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
      isMinor: true,
    },
    { header: 'Order', cell: ({ orderID }) => <IdCell id={orderID} />, align: 'right', isMinor: true },
  ]
}
