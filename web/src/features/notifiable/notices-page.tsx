import type { components, Query } from '@kitlane/client'
import { specimenNames } from '@kitlane/display/specimen-codes'
import { Alert, Button, Group, Modal, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useSearchState } from '../../app/search.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'
import { ResultLinks } from '../reports/result-links.tsx'
import { MessageFields } from './message-fields.tsx'
import { NotifiableSettings } from './notifiable-settings.tsx'

type Notice = components['schemas']['Notice']
type Decision = NonNullable<
  Parameters<ReturnType<typeof useWrite<'post', '/operator/v1/notices/{noticeID}'>>['mutate']>[0]['body']
>

const states: Record<Notice['state'], StatusLabel> = {
  waiting: { label: t('Waits for a person'), tone: 'fair' },
  due: { label: t('Being sent'), tone: 'info' },
  sent: { label: t('Sent, not answered yet'), tone: 'info' },
  accepted: { label: t('The authority has it'), tone: 'good' },
  refused: { label: t('Refused by the authority'), tone: 'bad' },
  byHand: { label: t('Told by hand'), tone: 'good' },
  notTold: { label: t('Not to be told'), tone: 'idle' },
}

/** Live results of all businesses that health authorities want told. */
export function NoticesPage() {
  const [{ view = 'open' }, change] = useSearchState()
  return (
    <>
      <PageHeader
        title={t('To authorities')}
        sentence={t(
          'Results that health authorities must be told, with the name of the person. They are sent by themselves, unless something is missing or not clear.',
        )}
      />
      <SegmentedControl
        mb="sm"
        aria-label={t('What is shown')}
        value={view}
        onChange={(to) => change({ view: to === 'open' ? undefined : to, page: undefined })}
        data={[
          { value: 'open', label: t('To tell') },
          { value: 'all', label: t('All') },
          { value: 'rules', label: t('Rules') },
        ]}
      />
      {view === 'rules' ? <NotifiableSettings /> : <Queue isAll={view === 'all'} />}
    </>
  )
}

function Queue({ isAll }: { isAll: boolean }) {
  const state = useListState<Query<'/operator/v1/notices'>>(['businessID'])
  const query = { ...state.query, ...(!isAll && { isOpen: 'true' as const }) }
  const notices = useRead('/operator/v1/notices', { params: { query } }, { keep: true })
  const waiting = notices.data?.waitingMessages
  return (
    <>
      {waiting && (
        <Alert mb="sm" color="yellow">
          {t(
            '{count, plural, one {# message of a laboratory waits whose results may have to be told} other {# messages of laboratories wait whose results may have to be told}}. The oldest came on {received}; the first deadline is {deadline}.',
            {
              count: waiting.count,
              received: exactOf(waiting.receivedDate),
              deadline: exactOf(waiting.deadlineDate),
            },
          )}{' '}
          <PageLink to="/operator/unmatched">{t('See the messages')}</PageLink>
        </Alert>
      )}
      <DataTable
        label={t('To authorities')}
        rows={notices.data?.data}
        error={notices.error}
        retry={() => void notices.refetch()}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          title: t('Nothing to tell'),
          text: t(
            'A positive result of a test that a rule names is listed here until its health authority knows it. No rule is on before somebody has reviewed it.',
          ),
          action: <PageLink to="/operator/notices?view=rules">{t('See the rules')}</PageLink>,
        }}
      />
      <Pager state={state} pagination={notices.data?.pagination} />
    </>
  )
}

const isOpen = ({ state }: Notice): boolean => ['waiting', 'due', 'refused'].includes(state)
const found = ({ result, condition }: Notice): string => result ?? condition

const columns: Column<Notice>[] = [
  {
    header: t('Person'),
    cell: (notice) => (
      <Stack gap={2} align="flex-start">
        {notice.person && (
          <PageLink to={`/operator/businesses/${notice.business.id}/customers/${notice.customerID}`} fw={600}>
            {notice.person}
          </PageLink>
        )}
        <ResultLinks result={notice} />
      </Stack>
    ),
  },
  {
    header: t('What was found'),
    cell: (notice) => (
      <>
        <Text>{found(notice)}</Text>
        <Text size="xs" c="dimmed">
          {notice.isCorrection ? t('{condition}, corrected', { condition: notice.condition }) : notice.condition}
        </Text>
      </>
    ),
    isFixed: true,
  },
  { header: t('Authority'), cell: ({ authority }) => authority?.name ?? t('None is known'), isBelow: true },
  {
    header: t('Deadline'),
    cell: (notice) =>
      notice.isOverdue ? (
        <>
          <StatusDot tone="bad">{t('Overdue')}</StatusDot>
          <Text size="xs" c="var(--k-bad)">
            {exactOf(notice.deadlineDate)}
          </Text>
        </>
      ) : (
        <RelativeDate value={isOpen(notice) ? notice.deadlineDate : notice.toldDate} />
      ),
    isFixed: true,
  },
  {
    header: t('State'),
    cell: ({ state, sentence, note, problems }) => (
      <Stack gap={2} maw={360}>
        <StatusDot tone={states[state].tone}>{states[state].label}</StatusDot>
        {[sentence, ...problems, note].filter(Boolean).map((words) => (
          <Text key={words} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {words}
          </Text>
        ))}
      </Stack>
    ),
    isFixed: true,
    isBelow: true,
  },
  { header: t('What to do'), cell: (notice) => <Actions notice={notice} />, hasButtons: true },
]

function Actions({ notice }: { notice: Notice }) {
  const { id, state, maySend, mayUndo, mayComplete, customerID, kitID, authority, toldDate } = notice
  const [specimen, setSpecimen] = useState<(typeof specimenNames)[number] | null>(null)
  const [receivedDate, setReceivedDate] = useState('')
  const [date, setDate] = useState(() => new Date().toISOString().slice(0, 10))
  const [words, setWords] = useState('')
  const decide = useWrite('post', '/operator/v1/notices/{noticeID}')
  const to = authority?.name ?? t('None is known')
  const who = [notice.person ?? t('Customer {customerID}', { customerID }), kitID].filter(Boolean).join(', ')
  const about = t('{who}: {result}. To: {to}.', { who, result: found(notice), to })
  const button = (label: string, sentence: string, body: Decision, fields?: ReactNode) => (
    <ConfirmButton
      label={label}
      size="xs"
      isDangerous={body.decision === 'notToTell'}
      isIncomplete={fields !== undefined && (words.trim() === '' || date === '')}
      sentence={`${about} ${sentence}`}
      action={() => decide.mutateAsync({ params: { path: { noticeID: id } }, body })}
      done={t('It was noted')}
    >
      {fields}
    </ConfirmButton>
  )
  const field = (label: string) => (
    <TextInput
      label={label}
      description={t('Write nothing about the person')}
      value={words}
      maxLength={300}
      onChange={({ currentTarget }) => setWords(currentTarget.value)}
    />
  )
  const day = (
    <TextInput
      type="date"
      label={t('When')}
      value={date}
      onChange={({ currentTarget }) => setDate(currentTarget.value)}
    />
  )
  const completed: Decision = {
    decision: 'complete',
    ...(specimen && { specimen }),
    ...(receivedDate && { receivedDate }),
  }
  const byHand: Decision = { decision: 'toldByHand', date, how: words }
  return (
    <Group gap="xs">
      <MessageButton notice={notice} />
      {maySend && button(t('Send it'), t('The message is sent as it is. This cannot be undone.'), { decision: 'send' })}
      {mayComplete && (
        <ConfirmButton
          label={t('Say what is missing')}
          size="xs"
          isIncomplete={specimen === null && receivedDate === ''}
          sentence={`${about} ${t('What the laboratory did not say of the sample, as it is known otherwise.')}`}
          action={() => decide.mutateAsync({ params: { path: { noticeID: id } }, body: completed })}
          done={t('It was noted')}
        >
          <Select
            label={t('What was taken')}
            data={[...specimenNames]}
            value={specimen}
            onChange={(to) => setSpecimen(specimenNames.find((one) => one === to) ?? null)}
            searchable
            clearable
          />
          <TextInput
            type="date"
            label={t('When the laboratory received it')}
            value={receivedDate}
            onChange={({ currentTarget }) => setReceivedDate(currentTarget.value)}
          />
        </ConfirmButton>
      )}
      {mayUndo &&
        button(t('Undo'), t('It is told after all, or waits as it did before.'), {
          decision: state === 'notTold' || !toldDate ? 'undoNotToTell' : 'undoToldByHand',
        })}
      {(state === 'waiting' || state === 'refused') && (
        <>
          {button(
            t('Told by hand'),
            t('You say that a person told the authority: no message is sent.'),
            byHand,
            <>
              {day}
              {field(t('Who told whom, and how'))}
            </>,
          )}
          {button(
            t('Not to tell'),
            t('The authority is not told of this result. This can be undone.'),
            { decision: 'notToTell', reason: words },
            field(t('Reason')),
          )}
        </>
      )}
    </Group>
  )
}

/** The message is read once somebody asks for it: the audit notes each reading. */
function MessageButton({ notice }: { notice: Notice }) {
  const [opened, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="xs" variant="default" onClick={open} aria-haspopup="dialog">
        {t('Message')}
      </Button>
      <Modal opened={opened} onClose={close} title={found(notice)} size="lg">
        {opened && <Message id={notice.id} />}
      </Modal>
    </>
  )
}

function Message({ id }: { id: string }) {
  const notice = useRead('/operator/v1/notices/{noticeID}', { params: { path: { noticeID: id } } })
  if (notice.error) return <ErrorAlert error={notice.error} retry={() => void notice.refetch()} />
  if (!notice.data) return null
  const { message } = notice.data
  return message === undefined ? (
    <Text>{t('No message waits to be sent. What was sent is not kept once it is answered.')}</Text>
  ) : (
    <MessageFields message={message} />
  )
}
