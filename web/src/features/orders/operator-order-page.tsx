import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { OperatorOrder } from '../../api/operator-shapes.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { BriefEmails } from '../../components/brief-emails.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { orderHeadline } from '../../components/headlines.ts'
import { moneyOf } from '../../components/money.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { OperatorKits } from '../kits/operator-kits.tsx'
import { outwardWords, trackingUrl } from '../kits/tracking-url.ts'
import { OrderLabels } from '../labels/order-labels.tsx'
import { AddressText } from './address-text.tsx'
import { ApprovalFacts } from './approval-facts.tsx'
import { CorrectAddress, PACKED } from './correct-address.tsx'
import { happenedWords } from './happened.ts'
import { orderLabel, paidBy, paymentState } from './labels.ts'

/** An order of any business, for the operator's staff: as much of it as their role may see. */
export function OperatorOrderPage() {
  const { orderID = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/orders/{orderID}', { params: { path: { orderID } } })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={320} />
  return <OrderView order={found.data} />
}

function OrderView({ order }: { order: OperatorOrder }) {
  const { isAdmin, isPacker } = useOperatorRoles()
  const { recipient, business, orderID, quantity } = order
  const word = orderLabel(order)
  return (
    <>
      <PageHeader
        title={
          recipient
            ? orderHeadline({ quantity, recipientName: recipient.name, recipientAddress: recipient.address })
            : t('{count, plural, one {# kit} other {# kits}} of {name}', { count: quantity, name: business.name })
        }
        id={orderID}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        sentence={t('Of {name}, live', { name: business.name })}
        actions={
          isAdmin && (
            <Button component={Link} to={`/b/${business.id}/live/orders/${orderID}`} variant="default">
              {t("Open it in the business's dashboard")}
            </Button>
          )
        }
      />
      <TwoColumns
        left={
          <>
            <Section title={t('{count, plural, one {Kit} other {# kits}}', { count: order.kits.length })}>
              <OperatorKits
                kits={order.kits}
                nameOf={(kitType) => nameOf(order, kitType)}
                empty={t('The kits are made when the order is paid.')}
              />
            </Section>
            <Happened order={order} />
          </>
        }
        right={
          <>
            {recipient && (
              <Facts
                title={t('Recipient')}
                facts={[
                  [t('Name'), recipient.name],
                  [t('E-mail'), recipient.email],
                  [t('Phone'), recipient.phone],
                  [t('Address'), <AddressText key="address" address={recipient.address} />],
                ]}
              >
                {isPacker && <OperatorAddress order={order} />}
              </Facts>
            )}
            <Paid order={order} />
            <ApprovalFacts approval={order.approval} />
            <Parcels order={order} />
            {isPacker && <OrderLabels orderID={orderID} />}
            {order.emails && <BriefEmails emails={order.emails} />}
          </>
        }
      />
    </>
  )
}

const nameOf = ({ items }: OperatorOrder, kitType: string) =>
  items.find((item) => item.kitType === kitType)?.panelName ?? kitType

const stays: Record<NonNullable<OperatorOrder['addressStays']>, string> = {
  packed: PACKED,
  beingPacked: t('A packer has a kit of this order in hand. Let them put it back, or try again in ten minutes.'),
  canceled: t('The order is canceled: nothing is sent.'),
  erased: t('The person of this order was erased.'),
}

function OperatorAddress({ order: { orderID, recipient, addressStays } }: { order: OperatorOrder }) {
  const correct = useWrite('patch', '/operator/v1/orders/{orderID}')
  if (!recipient) return null
  return (
    <CorrectAddress
      key={JSON.stringify(recipient.address)}
      address={recipient.address}
      blocked={addressStays && stays[addressStays]}
      isReasonRequired
      save={(recipientAddress, reason) =>
        correct.mutateAsync({ params: { path: { orderID } }, body: { recipientAddress, reason } })
      }
    />
  )
}

function Paid({ order }: { order: OperatorOrder }) {
  const { payment, items } = order
  return (
    <Facts
      title={t('Order')}
      facts={[
        [t('Ordered'), items.map(({ panelName, quantity }) => `${panelName} × ${quantity}`).join(', ')],
        [t('Placed'), <RelativeDate key="date" value={order.createdDate} />],
        [t('Paid by'), paidBy(payment)],
        [t('Payment'), paymentState(payment)],
        [
          t('Amount'),
          payment.amount !== undefined && payment.currency ? moneyOf(payment.amount, payment.currency) : undefined,
        ],
        [
          t('Given back'),
          payment.refundedAmount !== undefined && payment.currency
            ? moneyOf(payment.refundedAmount, payment.currency)
            : undefined,
        ],
        [t("The business's ID"), order.externalID],
        [t('Status e-mails'), order.isNotifyReceiver ? t('Sent to the recipient') : t('Not sent')],
      ]}
    />
  )
}

/** Each parcel once: several kits may share the one to the person. */
function Parcels({ order: { kits } }: { order: OperatorOrder }) {
  const legs = kits.flatMap(({ kitID, shipment }) => [
    ...(shipment?.toUser ? [{ ...shipment.toUser, words: outwardWords(shipment.toUser) }] : []),
    ...(shipment?.toLab ? [{ ...shipment.toLab, words: `${t('Back to the laboratory')} · ${kitID}` }] : []),
  ])
  const parcels = new Map(legs.map((leg) => [leg.trackingNumber, leg]))
  return (
    <Facts title={t('Parcels')}>
      {parcels.size === 0 && <Text c="dimmed">{t('Not posted yet.')}</Text>}
      {[...parcels.values()].map(({ trackingNumber, carrier, date, words }) => {
        const url = trackingUrl(carrier, trackingNumber)
        return (
          <div key={trackingNumber}>
            <Text size="xs" c="dimmed">
              {words}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {url ? (
                <a href={url} target="_blank" rel="noopener noreferrer">
                  {trackingNumber}
                </a>
              ) : (
                trackingNumber
              )}{' '}
              · {carrier} · <RelativeDate value={date} />
            </Text>
          </div>
        )
      })}
    </Facts>
  )
}

/** What happened, in words, newest first. */
function Happened({ order }: { order: OperatorOrder }) {
  return (
    <Section title={t('What happened')}>
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {order.happened.map((one) => {
          const { words, more } = happenedWords(one)
          return (
            <li key={JSON.stringify(one)}>
              <Text>
                {words}
                {one.kitID && (
                  <>
                    {' '}
                    <PageLink to={`/operator/kits/${one.kitID}`} ff="monospace" size="xs">
                      {one.kitID}
                    </PageLink>
                  </>
                )}
              </Text>
              <Text size="sm" c="dimmed">
                <RelativeDate value={one.at} />
                {more && ` · ${more}`}
              </Text>
            </li>
          )
        })}
      </Stack>
    </Section>
  )
}
