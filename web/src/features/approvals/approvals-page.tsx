import type { components, Query } from '@kitlane/client'
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { useSession } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusShape } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { sexLabels } from '../customers/sexes.ts'

type WaitingOrder = components['schemas']['WaitingOrder']

/** Live orders of all businesses that wait for a provider, oldest first. */
export function ApprovalsPage() {
  const state = useListState<Query<'/operator/v1/approvals'>>(['businessID'])
  const orders = useRead('/operator/v1/approvals', { params: { query: state.query } }, { keep: true })
  const isProvider = useSession().memberships.some(({ role }) => role === 'provider')
  const isNobody = useIsNobody()
  return (
    <>
      <PageHeader
        title={t('Approvals')}
        sentence={t(
          'These orders wait for a provider who is licensed where the recipient lives. You decide as the provider with your own e-mail. Nothing was paid for them.',
        )}
      />
      {isProvider && isNobody && (
        <Alert color="orange" variant="light" mb="md">
          {t('No active provider has your e-mail, so that you see no order. Ask an administrator.')}
        </Alert>
      )}
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

/** Whether no active provider has the e-mail of who is signed in: they decide nothing. */
function useIsNobody(): boolean {
  const own = useSession().user.email.toLowerCase()
  const { data } = useRead('/operator/v1/providers', {})
  return data?.every(({ email, isActive }) => !isActive || email.toLowerCase() !== own) ?? false
}

const testsOf = ({ items }: WaitingOrder): string =>
  items.map(({ panelName, quantity }) => `${quantity} × ${panelName}`).join(', ')

/** Age, sex and state, as far as they are known. */
const factsOf = ({ age, sex, state, country }: WaitingOrder): string =>
  [
    age !== undefined && t('{count, plural, one {# year} other {# years}}', { count: age }),
    sex && sexLabels[sex],
    state,
    country,
  ]
    .filter(Boolean)
    .join(', ')

const Bad = ({ text }: { text: string }) => (
  <Group gap={4} wrap="nowrap">
    <StatusShape tone="bad" />
    <Text size="xs">{text}</Text>
  </Group>
)

const columns: Column<WaitingOrder>[] = [
  {
    header: t('Recipient'),
    cell: (order) => (
      <>
        <Text style={{ overflowWrap: 'anywhere' }}>{order.recipientName ?? t('Erased')}</Text>
        <Text size="xs" c="dimmed">
          {factsOf(order)}
        </Text>
        {!order.hasProvider && <Bad text={t('No active provider is licensed there')} />}
        {order.whyNot && <Bad text={order.whyNot} />}
      </>
    ),
  },
  {
    header: t('Test'),
    isBelow: true,
    cell: (order) => <Text style={{ overflowWrap: 'anywhere' }}>{testsOf(order)}</Text>,
  },
  { header: t('Waits since'), cell: ({ createdDate }) => <RelativeDate value={createdDate} /> },
  {
    header: t('Order'),
    cell: ({ orderID, business }) => (
      <>
        <Text style={{ whiteSpace: 'nowrap' }}>{orderID}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {business.name}
        </Text>
      </>
    ),
  },
  { header: t('What to do'), cell: (order) => <Decide order={order} />, hasButtons: true },
]

function Decide({ order }: { order: WaitingOrder }) {
  const { orderID, version, mayApprove, whyNot } = order
  const isNobody = useIsNobody()
  const about = (
    <Text fw={600} mb="xs" style={{ overflowWrap: 'anywhere' }}>
      {[order.recipientName ?? t('Erased'), factsOf(order), testsOf(order)].filter(Boolean).join(', ')}
    </Text>
  )
  const [reason, setReason] = useState('')
  const decide = useWrite('post', '/operator/v1/approvals/{orderID}')
  const cache = useQueryClient()
  const params = { path: { orderID } }
  /** Where it is not as it is shown here, it is shown as it is, and is decided only by who opens it again. */
  const decideSeen = async (body: { decision: 'approve' | 'refuse'; reason?: string }, done: string) => {
    try {
      await decide.mutateAsync({ params, body: { ...body, version } })
      notifications.show({ message: done })
    } catch (error) {
      await cache.invalidateQueries({ queryKey: [''] })
      const { code, sentence: message } = asProblem(error)
      if (code !== 'ORDER_CHANGED') throw error
      setReason('')
      notifications.show({ message, color: 'red', autoClose: false })
    }
  }
  return (
    <Group gap="xs">
      {mayApprove && <AnswersButton orderID={orderID} />}
      <ConfirmButton
        label={t('Approve')}
        size="xs"
        disabled={!mayApprove}
        sentence={
          <>
            {about}
            {t('The order is paid and its kits are sent. Your name and NPI stand on it.')}
          </>
        }
        action={() => decideSeen({ decision: 'approve' }, t('The order was approved'))}
      />
      <ConfirmButton
        label={t('Refuse')}
        size="xs"
        isDangerous
        disabled={isNobody}
        isIncomplete={reason.trim() === ''}
        sentence={
          <>
            {about}
            {t('The order is canceled. Nothing was paid for it. This cannot be undone.')}
          </>
        }
        action={() => decideSeen({ decision: 'refuse', reason }, t('The order was refused'))}
      >
        <TextInput
          label={t('Reason')}
          description={t('The business reads it')}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </ConfirmButton>
      {(isNobody || !(mayApprove || whyNot)) && (
        <Text size="xs" c="dimmed">
          {isNobody ? t('No active provider has your e-mail. Ask an administrator.') : t('You are not licensed there.')}
        </Text>
      )}
    </Group>
  )
}

/** What the recipient answered, read once somebody asks for it: the audit notes each reading. */
function AnswersButton({ orderID }: { orderID: string }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-haspopup="dialog">
        {t('Answers')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('What the person answered')} size="lg">
        {opened && <Answers orderID={orderID} />}
      </Modal>
    </>
  )
}

function Answers({ orderID }: { orderID: string }) {
  const order = useRead('/operator/v1/approvals/{orderID}', { params: { path: { orderID } } })
  if (order.error) return <ErrorAlert error={order.error} retry={() => void order.refetch()} />
  if (!order.data) return null
  const { answers = [] } = order.data
  if (answers.length === 0) return <Text>{t('The business added no answers of this person.')}</Text>
  const quizzes = Map.groupBy(answers, ({ quiz, date }) => `${quiz}, ${dayOf(date)}`)
  return (
    <Stack>
      {[...quizzes].map(([title, entries]) => (
        <Facts key={title} title={title} facts={entries.map(({ question, answer }) => [question, answer])} />
      ))}
    </Stack>
  )
}
