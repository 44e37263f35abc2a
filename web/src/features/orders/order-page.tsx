import { Alert, Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Order } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealm, useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { orderHeadline } from '../../components/headlines.ts'
import { moneyOf } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { RawJson } from '../../components/raw-json.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { RemoveSandboxOrder } from '../sandbox/remove-order.tsx'
import { AddressText } from './address-text.tsx'
import { ApprovalFacts } from './approval-facts.tsx'
import { type Address, CorrectAddress, PACKED } from './correct-address.tsx'
import { mayCancel, orderLabel, paidBy, paymentState } from './labels.ts'
import { OrderItems } from './order-items.tsx'
import { OrderKits } from './order-kits.tsx'
import { PayOrder } from './pay-order.tsx'
import { SettlingNote } from './settling-note.tsx'

// How often the page checks whether the bank has answered.
const SETTLING_MS = 2_000

export function OrderPage() {
  const { orderID = '' } = useParams({ strict: false })
  const [isSettling, setSettling] = useState(false)
  const init = { params: { path: { id: orderID } } }
  const order = useRead('/api/v1/orders/{id}', init, isSettling ? { every: SETTLING_MS } : undefined)
  const isOpen = order.data?.payment.settling === true
  useEffect(() => setSettling(isOpen), [isOpen])
  if (order.error && !order.data) return <ErrorAlert error={order.error} retry={() => void order.refetch()} />
  if (!order.data) return <Skeleton height={320} />
  return <OrderView order={order.data} />
}

function OrderView({ order }: { order: Order }) {
  const word = orderLabel(order)
  return (
    <>
      <PageHeader
        title={orderHeadline(order)}
        id={order.orderID}
        crumbs={[['orders', t('Orders')]]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={<OrderActions order={order} />}
      />
      <TwoColumns
        left={
          <>
            <PaymentNote key={order.orderID} order={order} />
            <OrderItems order={order} />
            <OrderKits order={order} />
            <RawJson value={order} path={`/api/v1/orders/${order.orderID}`} />
          </>
        }
        right={<OrderFacts order={order} />}
      />
    </>
  )
}

/** Follows a payment whose answer was lost, and says so if the card was not charged. */
function PaymentNote({ order }: { order: Order }) {
  const isSettling = order.payment.settling === true
  const [wasSettling, setWasSettling] = useState(isSettling)
  useEffect(() => {
    if (isSettling) setWasSettling(true)
  }, [isSettling])
  if (isSettling) return <SettlingNote />
  if (!wasSettling && order.status === 'pending' && order.approval?.status === 'approved')
    return (
      <Alert color="orange" variant="light" title={t('A provider approved this order, and it is not paid')}>
        {t('Pay it with credits or a card, and its kits are made.')}
      </Alert>
    )
  if (!wasSettling || order.status === 'canceled') return null
  return order.status === 'pending' ? (
    <Alert color="orange" variant="light" title={t('The card was not charged')}>
      {t('The bank refused it. Pay with another card or with credits.')}
    </Alert>
  ) : (
    <Alert color="green" variant="light" title={t('The order is paid')}>
      {t('The bank has answered, and the kits are being made.')}
    </Alert>
  )
}

/** Only actions that are allowed now: pay an unpaid order, cancel one that is not posted. */
function OrderActions({ order }: { order: Order }) {
  const { write } = usePermissions()
  const { mode } = useRealm()
  const cancel = useWrite('post', '/api/v1/orders/{id}/cancel')
  // The outcome of the card payment is open: nothing else is allowed meanwhile.
  if (!write || order.payment.settling) return null
  const isPending = order.status === 'pending'
  return (
    <>
      {isPending && order.approval?.status !== 'waiting' && <PayOrder order={order} />}
      {mayCancel(order) && (
        <ConfirmButton
          label={t('Cancel order')}
          isDangerous
          sentence={
            isPending
              ? t('No kits will be sent. Nothing was charged.')
              : t('No kits will be sent, and the payment is refunded. A canceled order cannot be reopened.')
          }
          action={() => cancel.mutateAsync({ params: { path: { id: order.orderID } } })}
          done={t('The order was canceled')}
        />
      )}
      {mode === 'sandbox' && <RemoveSandboxOrder orderID={order.orderID} />}
    </>
  )
}

/** The address is corrected until a kit is packed; after that, the page says what to do instead. */
function BusinessAddress({ order, address }: { order: Order; address: Address }) {
  const correct = useWrite('patch', '/api/v1/orders/{id}')
  const isPacked = order.kits.some(({ kitStatus }) => kitStatus !== 'preparing' && kitStatus !== 'canceled')
  if (order.status === 'canceled') return null
  return (
    <CorrectAddress
      key={JSON.stringify(address)}
      address={address}
      blocked={isPacked && order.kits.every(({ kitStatus }) => kitStatus !== 'preparing') ? PACKED : undefined}
      save={(recipientAddress, reason) =>
        correct.mutateAsync({
          params: { path: { id: order.orderID } },
          body: { recipientAddress, ...(reason && { reason }) },
        })
      }
    />
  )
}

function OrderFacts({ order }: { order: Order }) {
  const path = useRealmPath()
  const { write } = usePermissions()
  const address = order.recipientAddress
  return (
    <>
      <Facts
        title={t('Recipient')}
        facts={[
          [t('Name'), order.recipientName],
          [t('E-mail'), order.recipientEmail],
          [t('Phone'), order.recipientPhone],
          [t('Address'), address && <AddressText address={address} />],
          [t('Status e-mails'), order.isNotifyReceiver ? t('Sent to the recipient') : t('Not sent')],
        ]}
      >
        {write && address && <BusinessAddress order={order} address={address} />}
      </Facts>
      <Facts
        title={t('Payment')}
        facts={[
          [t('Paid by'), paidBy(order.payment)],
          [t('Status'), paymentState(order.payment)],
          [
            t('Amount'),
            order.payment.amount !== undefined && order.payment.currency
              ? moneyOf(order.payment.amount, order.payment.currency)
              : undefined,
          ],
          [
            t('Given back'),
            order.payment.refundedAmount !== undefined && order.payment.currency
              ? moneyOf(order.payment.refundedAmount, order.payment.currency)
              : undefined,
          ],
        ]}
      />
      <ApprovalFacts approval={order.approval} />
      {order.registeredTo && (
        <Facts title={t('Customer')}>
          <PageLink to={path('customers', order.registeredTo.customerID)}>
            {order.registeredTo.email ?? t('Customer {customerID}', { customerID: order.registeredTo.customerID })}
          </PageLink>
        </Facts>
      )}
      <Facts
        title={t('Order')}
        facts={[
          [t('Placed'), <RelativeDate key="date" value={order.createdDate} />],
          [t('Your ID'), order.externalID],
          [t('Tags'), order.externalTags.join(', ')],
        ]}
      />
    </>
  )
}
