import type { Query } from '@kitlane/client'
import { Group, Stack, Switch, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { SupportVisit } from '../../api/shapes.ts'
import { useRealm, useRealmPath } from '../../app/realm.tsx'
import { useSession } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { ExactDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { StatusLabel } from '../../components/status-label.ts'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { ReceiptButton } from './support-receipt.tsx'

const states: Record<SupportVisit['state'], StatusLabel> = {
  waiting: { label: t('Waits for you'), tone: 'fair' },
  active: { label: t('Has access now'), tone: 'info' },
  ended: { label: t('Ended'), tone: 'idle' },
  refused: { label: t('Refused'), tone: 'idle' },
  withdrawn: { label: t('Withdrawn'), tone: 'idle' },
  unanswered: { label: t('Not answered'), tone: 'idle' },
}

export function SupportPage() {
  const list = useListState<Query<'/api/v1/support-accesses'>>([])
  const accesses = useRead('/api/v1/support-accesses', { params: { query: list.query } }, { keep: true })
  return (
    <>
      <PageHeader title={t('Settings')} sentence={t('When people of the operator were in this business, and why.')} />
      <SettingsTabs />
      <Stack gap="lg">
        <Policy />
        <DataTable
          label={t('Support access')}
          rows={accesses.data?.data}
          error={accesses.error}
          retry={() => void accesses.refetch()}
          rowKey={({ id }) => id}
          columns={columns}
          empty={{
            title: t('Nobody has asked for access'),
            text: t('The operator needs a reason to open these pages. Each access ends by itself and is listed here.'),
          }}
        />
      </Stack>
      <Pager state={list} pagination={accesses.data?.pagination} />
    </>
  )
}

/** Only administrators of the business decide; people of the operator see what was decided. */
function useDecides(): boolean {
  const { memberships } = useSession()
  const { businessID } = useRealm()
  return memberships.some(({ business, role }) => business?.id === businessID && role === 'business-admin')
}

function Policy() {
  const policy = useRead('/api/v1/support-policy')
  const change = useWrite('patch', '/api/v1/support-policy')
  const decides = useDecides()
  return (
    <Section title={t('Approval')}>
      <Switch
        label={t('An administrator of this business must approve each access first')}
        description={t('They get an e-mail. A request that nobody answers ends after 24 hours.')}
        checked={policy.data?.approvalRequired ?? false}
        disabled={!decides || policy.data === undefined || change.isPending}
        onChange={(event) => change.mutate({ body: { approvalRequired: event.currentTarget.checked } })}
      />
      {change.error && <ErrorAlert error={change.error} />}
    </Section>
  )
}

const columns: Column<SupportVisit>[] = [
  {
    header: t('Who and why'),
    cell: ({ user, reason, requestedDate }) => (
      <>
        {user.name ?? user.email ?? user.id}
        <Text size="sm" c="dimmed" miw={240} style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
        <Text size="xs" c="dimmed">
          {t('Asked')} <ExactDate value={requestedDate} />
        </Text>
      </>
    ),
  },
  { header: t('State'), cell: ({ state }) => <StatusDot tone={states[state].tone}>{states[state].label}</StatusDot> },
  { header: t('From'), cell: ({ startedDate }) => <MaybeDate value={startedDate} />, isMinor: true },
  {
    header: t('Until'),
    cell: ({ endedDate, endsDate, answerByDate }) => <MaybeDate value={endedDate ?? endsDate ?? answerByDate} />,
  },
  { header: t('Actions'), cell: (access) => <Actions access={access} />, align: 'right', hasButtons: true },
]

function MaybeDate({ value }: { value: string | undefined }) {
  return value ? <ExactDate value={value} /> : <>–</>
}

function Actions({ access }: { access: SupportVisit }) {
  const approve = useWrite('post', '/api/v1/support-accesses/{supportAccessID}/approve')
  const end = useWrite('delete', '/api/v1/support-accesses/{supportAccessID}')
  const decides = useDecides()
  const path = useRealmPath()
  const params = { path: { supportAccessID: access.id } }
  const isWaiting = access.state === 'waiting'
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {isWaiting && decides && (
        <ConfirmButton
          label={t('Approve')}
          size="xs"
          variant="filled"
          sentence={t('They may see and change everything in this business for {minutes} minutes, from now on.', {
            minutes: access.minutes,
          })}
          action={() => approve.mutateAsync({ params })}
          done={t('Approved')}
        />
      )}
      {(access.state === 'active' || isWaiting) && (
        <ConfirmButton
          label={isWaiting ? t('Refuse') : t('End now')}
          size="xs"
          isDangerous
          sentence={isWaiting ? t('They cannot open this business.') : t('They are out at once.')}
          action={() => end.mutateAsync({ params })}
          done={isWaiting ? t('Refused') : t('Ended')}
        />
      )}
      {access.startedDate && <ReceiptButton access={access} />}
      {access.startedDate && (
        <PageLink to={path('settings', 'audit')} search={{ objectID: access.id }}>
          {t('What they did')}
        </PageLink>
      )}
    </Group>
  )
}
