import type { Query } from '@kitlane/client'
import { Button, SegmentedControl, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Alarm } from '../../api/operator-shapes.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

/** What the watch over the audit has found, for a person to look at. */
export function AlarmsPage() {
  const state = useListState<Query<'/operator/v1/alarms'>>(['state'])
  const alarms = useRead('/operator/v1/alarms', { params: { query: state.query } }, { keep: true })
  const isAll = state.filters.state === 'all'
  return (
    <>
      <PageHeader
        title={t('Alarms')}
        sentence={t(
          'What the audit shows that a person should look at. Acknowledge an alarm once you know why it happened.',
        )}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('Which alarms')}
            value={isAll ? 'all' : 'open'}
            data={[
              { value: 'open', label: t('Open') },
              { value: 'all', label: t('All') },
            ]}
            onChange={(value) => state.filter({ state: value === 'all' ? 'all' : undefined })}
          />
        }
      />
      <DataTable
        label={t('Alarms')}
        rows={alarms.data?.data}
        error={alarms.error}
        retry={() => void alarms.refetch()}
        rowKey={({ id }) => id}
        columns={columns}
        empty={
          isAll
            ? { title: t('No alarms'), text: t('There was never an alarm.') }
            : { title: t('No open alarms'), text: t('Everything that was found has been acknowledged.') }
        }
      />
      <Pager state={state} pagination={alarms.data?.pagination} />
    </>
  )
}

const columns: Column<Alarm>[] = [
  { header: t('What'), cell: (alarm) => <What {...alarm} /> },
  { header: t('Who'), cell: (alarm) => <About {...alarm} /> },
  { header: t('Since'), cell: ({ raisedDate }) => <RelativeDate value={raisedDate} /> },
  { header: t('Last'), cell: ({ lastDate }) => <RelativeDate value={lastDate} />, isMinor: true },
  { header: t('Acknowledged'), cell: (alarm) => <Acknowledge {...alarm} />, hasButtons: true },
]

const words: Record<Alarm['kind'], { title: string; more: (amount: number) => string }> = {
  refusals: {
    title: t('Many refused attempts'),
    more: (amount) =>
      t('{amount, plural, one {# attempt was} other {# attempts were}} refused within ten minutes.', { amount }),
  },
  mass_read: {
    title: t('Data of many people read'),
    more: (amount) => t('{amount, plural, one {# person} other {# people}} within an hour.', { amount }),
  },
  new_place: { title: t('Sign-in from a new place'), more: () => t('From a network not used in 180 days.') },
  broken_seal: {
    title: t('The audit was changed'),
    more: () => t('Keep the database as it is. Find out who wrote to it.'),
  },
  access_review_due: { title: t('Review of access is due'), more: () => t('The last one is older than 90 days.') },
}

function What({ kind, amount }: Alarm) {
  return (
    <>
      {words[kind].title}
      <Text size="xs" c="dimmed">
        {words[kind].more(amount)}
      </Text>
    </>
  )
}

/** The caller, with a link to what it did. */
function About({ kind, subject }: Alarm) {
  if (kind === 'access_review_due') return <PageLink to="/operator/access-review">{t('Review access')}</PageLink>
  if (!/^(token|user|operator):/.test(subject)) return <>{subject}</>
  return (
    <PageLink to="/operator/audit" search={{ actor: subject } as never}>
      {subject}
    </PageLink>
  )
}

function Acknowledge({ id, acknowledgedBy, acknowledgedDate }: Alarm) {
  const acknowledge = useWrite('post', '/operator/v1/alarms/{alarmID}/acknowledge')
  if (acknowledgedDate) {
    return (
      <>
        <RelativeDate value={acknowledgedDate} />
        <Text size="xs" c="dimmed">
          {acknowledgedBy}
        </Text>
      </>
    )
  }
  return (
    <Button
      size="xs"
      variant="default"
      loading={acknowledge.isPending}
      onClick={() => acknowledge.mutate({ params: { path: { alarmID: id } } })}
    >
      {t('Acknowledge')}
    </Button>
  )
}
