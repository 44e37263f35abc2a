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
import { usePanels } from '../catalogue/use-panels.ts'
import { AddressText } from '../orders/order-page.tsx'
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
        crumbs={[['plans', 'Recurring plans']]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={<PlanActions plan={plan} />}
      />
      <TwoColumns
        left={
          <>
            <FailureNote plan={plan} />
            <Section title="Dates so far">
              <DataTable
                label="Dates so far"
                rows={plan.occurrences}
                columns={columns}
                rowKey={({ date }) => date}
                href={({ orderId }) => (orderId ? path('orders', orderId) : path('plans', plan.planID))}
                empty={{ title: 'No date yet', text: 'Each date is listed here with the order that it made.' }}
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
    <Alert color="orange" variant="light" title={`The order of ${dayOf(failed.date)} could not be placed`}>
      {reasonOf(failed.code)}. It is tried again <RelativeDate value={plan.retryDate} />, and daily for seven days in
      all; then its date is skipped. <PaymentHint />
    </Alert>
  )
}

function PlanFacts({ plan }: { plan: PlanDetail }) {
  const { nameOf } = usePanels()
  const address = plan.recipientAddress
  return (
    <>
      <Facts
        title="Next orders"
        facts={[
          ['How often', everyText(plan.every)],
          [
            'Next dates',
            plan.upcomingDates.length > 0 && (
              <List listStyleType="none" spacing={2}>
                {plan.upcomingDates.map((date) => (
                  <List.Item key={date}>{dayOf(date)}</List.Item>
                ))}
              </List>
            ),
          ],
          ['Ordered', plan.times === undefined ? `${plan.placed} so far` : `${plan.placed} of ${plan.times}`],
          ['Panels', kitsText(plan, nameOf)],
        ]}
      />
      <Facts
        title="Recipient"
        facts={[
          ['Name', plan.recipientName],
          ['E-mail', plan.recipientEmail],
          ['Phone', plan.recipientPhone],
          ['Address', address && <AddressText address={address} />],
          ['Status e-mails', plan.isNotifyReceiver ? 'Sent to the recipient' : 'Not sent'],
        ]}
      />
      <Facts
        title="Plan"
        facts={[
          ['Created', <RelativeDate key="date" value={plan.createdDate} />],
          ['Your ID', plan.externalID],
          ['Tags', plan.externalTags.join(', ')],
        ]}
      />
    </>
  )
}

const columns: Column<PlanDetail['occurrences'][number]>[] = [
  { header: 'Date', cell: ({ date }) => dayOf(date) },
  {
    header: 'What became of it',
    cell: (occurrence) => (
      <StatusDot tone={occurrenceLabel(occurrence).tone}>{occurrenceLabel(occurrence).label}</StatusDot>
    ),
  },
  { header: 'Why', cell: ({ code }) => (code ? reasonOf(code) : '–'), isMinor: true },
  { header: 'Order', cell: ({ orderId }) => (orderId ? <IdCell id={orderId} /> : '–'), align: 'right' },
]
