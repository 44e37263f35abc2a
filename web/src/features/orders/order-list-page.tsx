import type { Query } from '@kitlane/client'
import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Order } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { useShownInCsv } from '../../components/columns.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { orderHeadline } from '../../components/headlines.ts'
import { IdCell } from '../../components/id-text.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { moneyOf } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { SelectionBar, useSelection } from '../../components/selection.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { kitStatusOptions, sampleStatusOptions } from '../kits/labels.ts'
import { CancelOrders } from './cancel-orders.tsx'
import { orderLabel } from './labels.ts'

const statuses = [
  { value: 'created', label: t('Placed') },
  { value: 'pending', label: t('Not paid') },
  { value: 'canceled', label: t('Canceled') },
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
  const selection = useSelection(state)
  const columns = columnsOf(nameOf)
  return (
    <>
      <PageHeader
        title={t('Orders')}
        actions={
          write && (
            <>
              <Button variant="default" component={Link} to={path('bulk', 'new')}>
                {t('Order by CSV')}
              </Button>
              <Button component={Link} to={path('orders', 'new')}>
                {t('New order')}
              </Button>
            </>
          )
        }
      />
      <ListToolbar
        state={state}
        search={t('Order ID, e-mail or name')}
        filters={[
          { key: 'status', label: t('Order'), options: statuses },
          { key: 'kitStatus', label: t('Kit'), options: kitStatusOptions },
          { key: 'sampleStatus', label: t('Sample'), options: sampleStatusOptions },
          { key: 'sku', label: t('Panel'), options },
          { kind: 'dates', key: 'date', label: t('Ordered'), from: 'orderDateStart', to: 'orderDateEnd' },
        ]}
        csv="/api/v1/orders"
        shown={useShownInCsv(t('Orders'), columns)}
      />
      <SelectionBar selection={selection} csv="/api/v1/orders" by="orderID">
        {write && <CancelOrders orders={orders.data?.data ?? []} selection={selection} />}
      </SelectionBar>
      <DataTable
        label={t('Orders')}
        rows={orders.data?.data}
        error={orders.error}
        retry={() => void orders.refetch()}
        columns={columns}
        state={state}
        selection={{ ...selection, nameOf: orderHeadline }}
        rowKey={({ orderID }) => orderID}
        href={({ orderID }) => path('orders', orderID)}
        empty={
          state.isFiltered
            ? { title: t('No matching orders'), text: t('Clear a filter, or search for something else.') }
            : {
                title: t('No orders yet'),
                text: t('An order sends one or more kits to one person. It is paid with credits or by card.'),
                action: write && (
                  <Button component={Link} to={path('orders', 'new')}>
                    {t('Place the first order')}
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
      header: t('Recipient'),
      csv: ['recipientName', 'recipientEmail'],
      cell: ({ recipientName, recipientEmail }) => (
        <>
          {recipientName ?? t('Erased')}
          <Text size="xs" c="dimmed">
            {recipientEmail}
          </Text>
        </>
      ),
    },
    {
      header: t('Status'),
      csv: ['orderStatus'],
      cell: (order) => (
        <>
          <StatusDot tone={orderLabel(order).tone}>{orderLabel(order).label}</StatusDot>
          {order.status === 'pending' && <ToPay order={order} panels={panelsOf(order)} />}
        </>
      ),
    },
    {
      header: t('Panels'),
      csv: ['sku'],
      isMinor: true,
      cell: panelsOf,
    },
    { header: t('Kits'), csv: ['quantity'], cell: ({ quantity }) => quantity, align: 'right', isMinor: true },
    { header: t('Your ID'), csv: ['externalID'], cell: ({ externalID }) => externalID ?? '–', isMinor: true },
    {
      header: t('Ordered'),
      csv: ['createdDate'],
      sort: 'createdDate',
      cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
      isMinor: true,
    },
    {
      header: t('Order'),
      csv: ['orderID'],
      cell: ({ orderID }) => <IdCell id={orderID} />,
      align: 'right',
      isMinor: true,
    },
  ]
}
