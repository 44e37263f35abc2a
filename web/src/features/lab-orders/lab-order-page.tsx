import { Alert, Code, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { ExactDate, RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { StatusLabel } from '../../components/status-label.ts'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { AnswerOrder, CloseOrder, Requisition, SendOrder } from './lab-order-actions.tsx'
import {
  Attention,
  answerable,
  canBeClosed,
  canBeSent,
  type LabOrder,
  type Message,
  OrderState,
} from './order-state.tsx'

/** The order of a kit to a laboratory: its numbers, what was said and answered, and what a person can do. */
export function LabOrderPage() {
  const { kitID = '' } = useParams({ strict: false })
  // It stands otherwise within seconds, while somebody looks at it.
  const found = useRead('/operator/v1/lab-orders/{kitID}', { params: { path: { kitID } } }, { every: 5000 })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={320} />
  return <OrderView order={found.data} />
}

const pendingWords = {
  new: t('The order is sent'),
  change: t('The laboratory hears of a change'),
  cancel: t('The laboratory is asked to cancel it'),
}

function OrderView({ order }: { order: LabOrder }) {
  const { kitID, orderID, placerNumber, fillerNumber, state, laboratory, attention, pending, messages = [] } = order
  const known = useRead('/operator/v1/lab-connections').data
  const laboratories = known ?? []
  const isThere = (id: string) => !known || known.some(({ laboratoryID }) => laboratoryID === id)
  return (
    <>
      <PageHeader
        title={t('Order of kit {kitID}', { kitID })}
        crumbs={[['lab-orders', t('Orders to laboratories')]]}
        beside={<OrderState state={state} attention={order.attention} />}
        sentence={laboratory?.name}
        actions={
          <>
            {laboratory && <Requisition kitID={kitID} />}
            {canBeClosed(order, isThere) && <CloseOrder kitID={kitID} />}
            {canBeSent(order) && <SendAgain kitID={kitID} laboratories={laboratories} />}
          </>
        }
      />
      <TwoColumns
        left={
          <>
            {attention && (
              <Alert variant="light" title={t('Needs a person')}>
                <Attention order={order} />
              </Alert>
            )}
            <Section title={t('What was said and answered')}>
              {messages.length === 0 && (
                <Text c="dimmed">{t('Nothing yet: no laboratory has heard of this order.')}</Text>
              )}
              {messages.map((message) => (
                <OneMessage
                  key={message.controlID}
                  message={message}
                  laboratory={laboratories.find(({ laboratoryID }) => laboratoryID === message.laboratoryID)?.name}
                  canBeAnswered={answerable(order).includes(message)}
                />
              ))}
            </Section>
          </>
        }
        right={
          <Facts
            title={t('Numbers of the order')}
            facts={[
              [
                t('Kit'),
                <PageLink key="kit" to={`/operator/kits/${kitID}`} ff="monospace">
                  {kitID}
                </PageLink>,
              ],
              [
                t('Order'),
                <PageLink key="order" to={`/operator/orders/${orderID}`} ff="monospace">
                  {orderID}
                </PageLink>,
              ],
              [t('Number of the order'), placerNumber],
              [t('Laboratory’s number'), fillerNumber],
              [t('Next'), pending && pendingWords[pending]],
              [
                // What a laboratory has received is not sent again: then a person is asked to look.
                state === 'sent' && !pending ? t('Answer expected by') : t('Next try'),
                order.nextTryDate && <ExactDate value={order.nextTryDate} />,
              ],
              [t('Created'), <RelativeDate key="created" value={order.createdDate} />],
              [t('Last change'), <RelativeDate key="changed" value={order.changedDate} />],
            ]}
          />
        }
      />
    </>
  )
}

function SendAgain(order: Pick<ComponentProps<typeof SendOrder>, 'kitID' | 'laboratories'>) {
  const found = useRead('/operator/v1/fulfilment/kits/{code}', { params: { path: { code: order.kitID } } }).data
  return <SendOrder {...order} kitType={found?.kit.kitType} />
}

const actionWords: Record<Message['action'], string> = {
  new: t('Order'),
  change: t('Change'),
  cancel: t('Cancellation'),
}

const outcomes: Record<NonNullable<Message['outcome']>, StatusLabel> = {
  accepted: { label: t('Accepted'), tone: 'good' },
  refused: { label: t('Refused'), tone: 'bad' },
  received: { label: t('Received, not answered yet'), tone: 'info' },
}
const unanswered: StatusLabel = { label: t('No answer yet'), tone: 'fair' }

interface OneMessageProps {
  message: Message
  laboratory: string | undefined
  canBeAnswered: boolean
}

function OneMessage({ message, laboratory, canBeAnswered }: OneMessageProps) {
  const { controlID, action, tries, sentDate, answeredDate, outcome, code, answer } = message
  const { label, tone } = outcome ? outcomes[outcome] : unanswered
  return (
    <Stack gap={4} align="flex-start" component="article" aria-label={controlID}>
      <Group gap="md">
        <Text fw={600}>{[actionWords[action], laboratory].filter(Boolean).join(' · ')}</Text>
        <StatusDot tone={tone}>{label}</StatusDot>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {[
          controlID,
          t('{tries, plural, =0 {not sent yet} one {sent once} other {sent # times}}', { tries }),
          code && t('code {code}', { code }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
      {sentDate && (
        <Text size="sm">
          {t('Sent')} <ExactDate value={sentDate} />
          {answeredDate && (
            <>
              {' · '}
              {t('Answered')} <ExactDate value={answeredDate} />
            </>
          )}
        </Text>
      )}
      {answer && (
        // HL7 ends its lines with CR alone.
        <Code block w="100%" tabIndex={0} aria-label={t('Answer')} style={{ maxHeight: 240, overflow: 'auto' }}>
          {answer.replaceAll(/\r\n?/g, '\n')}
        </Code>
      )}
      {canBeAnswered && <AnswerOrder controlID={controlID} />}
    </Stack>
  )
}
