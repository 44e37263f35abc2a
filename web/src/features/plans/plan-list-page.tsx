import type { Query } from '@kitlane/client'
import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Plan } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { everyText, kitsText, planLabel, planStatusOptions } from './labels.ts'

export function PlanListPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const { nameOf } = usePanels()
  const state = useListState<Query<'/api/v1/plans'>>(['status'])
  const plans = useRead('/api/v1/plans', { params: { query: state.query } }, { keep: true })
  const newPlan = (label: string) =>
    write && (
      <Button component={Link} to={path('plans', 'new')}>
        {label}
      </Button>
    )
  return (
    <>
      <PageHeader title={t('Recurring plans')} actions={newPlan(t('New plan'))} />
      <ListToolbar state={state} filters={[{ key: 'status', label: t('Status'), options: planStatusOptions }]} />
      <DataTable
        label={t('Recurring plans')}
        rows={plans.data?.data}
        error={plans.error}
        retry={() => void plans.refetch()}
        columns={columnsOf((plan) => kitsText(plan, nameOf))}
        state={state}
        rowKey={({ planID }) => planID}
        href={({ planID }) => path('plans', planID)}
        empty={
          state.isFiltered
            ? { title: t('No matching plans'), text: t('Clear the filter to see all plans.') }
            : {
                title: t('No recurring plans yet'),
                text: t(
                  'A plan orders the same kits for the same person again and again, such as every three months, until you end it.',
                ),
                action: newPlan(t('Create the first plan')),
              }
        }
      />
      <Pager state={state} pagination={plans.data?.pagination} />
    </>
  )
}

const columnsOf = (kitsOf: (plan: Plan) => string): Column<Plan>[] => [
  {
    header: t('Recipient'),
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
    cell: (plan) => <StatusDot tone={planLabel(plan).tone}>{planLabel(plan).label}</StatusDot>,
  },
  { header: t('Panels'), cell: kitsOf, isMinor: true },
  { header: t('How often'), cell: ({ every }) => everyText(every), isMinor: true },
  {
    header: t('Next order'),
    cell: ({ status, nextDate }) => <RelativeDate value={status === 'active' ? nextDate : undefined} />,
  },
  {
    header: t('Ordered'),
    cell: ({ placed, times }) => (times === undefined ? placed : t('{placed} of {times}', { placed, times })),
    align: 'right',
    isMinor: true,
  },
  {
    header: t('Created'),
    sort: 'createdDate',
    cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
    isMinor: true,
  },
]
