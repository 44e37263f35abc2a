import type { components } from '@kitlane/client'
import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { dayOf, exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { codeOf } from '../../components/station/codes.ts'
import { t } from '../../language/t.ts'
import { type AcceptedReport, AcceptedReportCard } from './accepted-results.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { MessageFacts, MessageValues } from './message-values.tsx'

type Message = components['schemas']['LabMessage']

const WAITING = { params: { query: { status: 'waiting' as const, size: 250 } } }
const ASSIGNED = { params: { query: { status: 'assigned' as const, size: 50 } } }
// A kit may be registered while the page is open, and the page should show that before the tube is put away.
const EVERY_MS = 10_000

/** Results that could not be matched to a kit for certain. A person assigns or discards them. */
export function UnmatchedPage() {
  const messages = useRead('/operator/v1/lab/messages', WAITING, { every: EVERY_MS })
  const assigned = useRead('/operator/v1/lab/messages', ASSIGNED)
  const undoable = assigned.data?.filter(({ canBeUndone }) => canBeUndone) ?? []
  const [accepted, setAccepted] = useState<AcceptedReport>()
  return (
    <>
      <PageHeader
        title={t('Unmatched results')}
        sentence={t(
          'Laboratory messages that could not be matched to a kit for certain: those with critical values first, then the oldest. Compare with the sample before you decide.',
        )}
      />
      {messages.error && <ErrorAlert error={messages.error} retry={() => void messages.refetch()} />}
      {messages.data?.length === 0 && (
        <EmptyState title={t('Nothing to match')} text={t('Every message is on its kit, or was dealt with.')} />
      )}
      <Stack>
        {messages.data?.map((message) => (
          <Waiting key={message.id} message={message} onAccepted={setAccepted} />
        ))}
      </Stack>
      {undoable.length > 0 && (
        <Section title={t('Assigned in the last 30 days')}>
          <Stack gap="xs">
            {undoable.map((message) => (
              <Assigned key={message.id} message={message} />
            ))}
          </Stack>
        </Section>
      )}
      <Modal
        opened={accepted !== undefined}
        onClose={() => setAccepted(undefined)}
        title={t('Assigned to the kit')}
        centered
      >
        {accepted && <AcceptedReportCard accepted={accepted} />}
      </Modal>
    </>
  )
}

/** A message that is on a kit, to be taken off it. */
function Assigned({ message }: { message: Message }) {
  const undo = useWrite('post', '/operator/v1/lab/messages/{messageID}/undo')
  const { assignedKitID: kitID = '' } = message
  return (
    <Group gap="sm" role="group" aria-label={t('Message {id}', { id: message.accession ?? message.id })}>
      <PageLink to={`/operator/kits/${kitID}`} ff="monospace">
        {kitID}
      </PageLink>
      <MessageFacts message={message} />
      {message.closedDate && <RelativeDate value={message.closedDate} />}
      <ConfirmButton
        label={t('Undo')}
        sentence={t(
          'Its results leave the report of this kit in a new version. If the report is published, its readers are notified. The message waits here again.',
        )}
        action={() => undo.mutateAsync({ params: { path: { messageID: message.id } } })}
        done={t('The message waits again')}
        isDangerous
      />
    </Group>
  )
}

const conditionsOf = (rows: readonly { condition: string }[]) => rows.map(({ condition }) => condition).join(', ')

function Waiting({ message, onAccepted }: { message: Message; onAccepted: (accepted: AcceptedReport) => void }) {
  const discard = useWrite('post', '/operator/v1/lab/messages/{messageID}/discard')
  const [kitID, setKitID] = useState('')
  const [decision, setDecision] = useState<'toldByHand' | 'notToTell' | null>(null)
  const [reason, setReason] = useState('')
  // Whose kit it is, is compared before anything is put on it.
  const [chosen, setChosen] = useState<string>()
  const params = { path: { messageID: message.id } }
  return (
    <Sheet aria-label={t('Message {id}', { id: message.accession ?? message.id })}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{message.reason}</Text>
          <RelativeDate value={message.receivedDate} />
        </Group>
        <MessageFacts message={message} />
        {message.authority && (
          <Alert color="yellow">
            {t('A health authority may have to be told of this by {deadline}: {conditions}.', {
              deadline: exactOf(message.authority.deadlineDate),
              conditions: message.authority.conditions.join(', '),
            })}
          </Alert>
        )}
        {message.readyForKitID && (
          <Alert color="teal" title={t('This kit is registered now: assign it')}>
            <Button onClick={() => setChosen(message.readyForKitID)}>
              {t('Assign to {kitID}', { kitID: message.readyForKitID })}
            </Button>
          </Alert>
        )}
        <MessageValues values={message.values} />
        <Text c="dimmed">
          {[
            message.format.toUpperCase(),
            t('{count, plural, one {# result} other {# results}}', { count: message.results }),
            message.accession && t("laboratory's number {accession}", { accession: message.accession }),
            message.collectedDate && t('collected {day}', { day: dayOf(message.collectedDate) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {message.suggestions
          .filter(({ kitID: id }) => id !== message.readyForKitID)
          .map((suggestion) => (
            <Group key={suggestion.kitID} gap="sm">
              <Button variant="light" onClick={() => setChosen(suggestion.kitID)}>
                {t('Assign to {kitID}', { kitID: suggestion.kitID })}
              </Button>
              <PageLink to={`/operator/kits/${suggestion.kitID}`} size="sm">
                {t('See the kit')}
              </PageLink>
              <Text size="sm">{suggestion.reason}</Text>
            </Group>
          ))}
        <Group align="end">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              setChosen(codeOf(kitID))
            }}
          >
            <Group align="end" gap="xs">
              <TextInput
                label={t('Another kit')}
                placeholder={t('Scan or type its code')}
                value={kitID}
                onChange={(event) => setKitID(event.currentTarget.value)}
                autoComplete="off"
              />
              <Button type="submit" variant="default" disabled={kitID.trim() === ''}>
                {t('Assign')}
              </Button>
            </Group>
          </form>
          <ConfirmButton
            label={t('Discard')}
            sentence={t(
              'These results are not put on any report. Do this only if the laboratory will send them again, or if they are not ours.',
            )}
            action={async () => {
              const body = message.authority && decision ? { authority: { decision, reason } } : {}
              const { settledNotices, openNotices } = await discard.mutateAsync({ params, body })
              if (settledNotices && openNotices)
                notifications.show({
                  autoClose: false,
                  message: [
                    settledNotices.length > 0
                      ? t('Noted as told by hand: {conditions}.', { conditions: conditionsOf(settledNotices) })
                      : t('No result of this kit was noted as told.'),
                    openNotices.length > 0 &&
                      t('Still to be told, see To authorities: {conditions}.', {
                        conditions: conditionsOf(openNotices),
                      }),
                  ]
                    .filter(Boolean)
                    .join(' '),
                })
            }}
            done={t('The message was discarded')}
            isIncomplete={message.authority !== undefined && (!decision || reason.trim() === '')}
            isDangerous
          >
            {message.authority && (
              <>
                <Select
                  label={t('The health authority')}
                  data={[
                    { value: 'toldByHand', label: t('A person told it by hand') },
                    { value: 'notToTell', label: t('It is not told') },
                  ]}
                  value={decision}
                  onChange={(to) => setDecision(to === 'toldByHand' || to === 'notToTell' ? to : null)}
                />
                <TextInput
                  label={t('Who told whom, when and how, or why it is not told')}
                  description={t('Write nothing about the person')}
                  value={reason}
                  maxLength={300}
                  onChange={({ currentTarget }) => setReason(currentTarget.value)}
                />
              </>
            )}
          </ConfirmButton>
        </Group>
        {chosen && (
          <AssignDialog
            messageID={message.id}
            kitID={chosen}
            onClose={() => setChosen(undefined)}
            onAccepted={onAccepted}
          />
        )}
      </Stack>
    </Sheet>
  )
}
