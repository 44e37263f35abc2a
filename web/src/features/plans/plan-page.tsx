import { Alert, List, Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { PlanDetail } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { planHeadline } from '../../components/headlines.ts'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawJson } from '../../components/raw-json.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { rich, t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { AddressText } from '../orders/address-text.tsx'
import { PaymentHint } from '../orders/payment-method.tsx'
import { everyText, kitsText, occurrenceLabel, planLabel, reasonOf } from './labels.ts'
import { PlanActions } from './plan-actions.tsx'

// How often the page checks whether the bank has answered.
const CHARGING_MS = 5_000

export function PlanPage() {
  const { planID = '' } = useParams({ strict: false })
  const init = { params: { path: { planID } } }
  const [isCharging, setCharging] = useState(false)
  const plan = useRead('/api/v1/plans/{planID}', init, isCharging ? { every: CHARGING_MS } : undefined)
  const isOpen = plan.data?.occurrences.some(({ status }) => status === 'placing') ?? false
  useEffect(() => setCharging(isOpen), [isOpen])
  if (plan.error && !plan.data) return <ErrorAlert error={plan.error} retry={() => void plan.refetch()} />
  if (!plan.data) return <Skeleton height={320} />
  return <PlanView plan={plan.data} />
}

function PlanView({ plan }: { plan: PlanDetail }) {
  const path = useRealmPath()
  const word = planLabel(plan)
  return (
    <>
      <PageHeader
        title={planHeadline(plan, everyText(plan.every))}
        id={plan.planID}
        crumbs={[['plans', t('Recurring plans')]]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={<PlanActions plan={plan} />}
      />
      <TwoColumns
        left={
          <>
            <FailureNote plan={plan} />
            <Section title={t('Dates so far')}>
              <DataTable
                label={t('Dates so far')}
                rows={plan.occurrences}
                columns={columns}
                rowKey={({ date }) => date}
                href={({ orderId }) => (orderId ? path('orders', orderId) : path('plans', plan.planID))}
                empty={{ title: t('No date yet'), text: t('Each date is listed here with the order that it made.') }}
              />
            </Section>
            <RawJson value={plan} path={`/api/v1/plans/${plan.planID}`} />
          </>
        }
        right={<PlanFacts plan={plan} />}
      />
    </>
  )
}

/** What is wrong with the next order, and what to do. */
function FailureNote({ plan }: { plan: PlanDetail }) {
  const failed = plan.occurrences.find(({ status }) => status === 'failed')
  if (!failed?.code || plan.status !== 'active') return null
  return (
    <Alert
      color="orange"
      variant="light"
      title={t('The order of {day} could not be placed', { day: dayOf(failed.date) })}
    >
      {rich('{reason}. It is tried again {when}, and daily for seven days in all; then its date is skipped.', {
        reason: reasonOf(failed.code),
        when: <RelativeDate key="when" value={plan.retryDate} />,
      })}{' '}
      <PaymentHint />
    </Alert>
  )
}

function PlanFacts({ plan }: { plan: PlanDetail }) {
  const { nameOf } = usePanels()
  const address = plan.recipientAddress
  return (
    <>
      <Facts
        title={t('Next orders')}
        facts={[
          [t('How often'), everyText(plan.every)],
          [
            t('Next dates'),
            plan.upcomingDates.length > 0 && (
              <List listStyleType="none" spacing={2}>
                {plan.upcomingDates.map((date) => (
                  <List.Item key={date}>{dayOf(date)}</List.Item>
                ))}
              </List>
            ),
          ],
          [
            t('Ordered'),
            plan.times === undefined
              ? t('{placed} so far', { placed: plan.placed })
              : t('{placed} of {times}', { placed: plan.placed, times: plan.times }),
          ],
          [t('Panels'), kitsText(plan, nameOf)],
        ]}
      />
      <Facts
        title={t('Recipient')}
        facts={[
          [t('Name'), plan.recipientName],
          [t('E-mail'), plan.recipientEmail],
          [t('Phone'), plan.recipientPhone],
          [t('Address'), address && <AddressText address={address} />],
          [t('Status e-mails'), plan.isNotifyReceiver ? t('Sent to the recipient') : t('Not sent')],
        ]}
      />
      <Facts
        title={t('Plan')}
        facts={[
          [t('Created'), <RelativeDate key="date" value={plan.createdDate} />],
          [t('Your ID'), plan.externalID],
          [t('Tags'), plan.externalTags.join(', ')],
        ]}
      />
    </>
  )
}

const columns: Column<PlanDetail['occurrences'][number]>[] = [
  { header: t('Date'), cell: ({ date }) => dayOf(date) },
  {
    header: t('What became of it'),
    cell: (occurrence) => (
      <StatusDot tone={occurrenceLabel(occurrence).tone}>{occurrenceLabel(occurrence).label}</StatusDot>
    ),
  },
  { header: t('Why'), cell: ({ code }) => (code ? reasonOf(code) : '–'), isMinor: true },
  { header: t('Order'), cell: ({ orderId }) => (orderId ? <IdCell id={orderId} /> : '–'), align: 'right' },
]
