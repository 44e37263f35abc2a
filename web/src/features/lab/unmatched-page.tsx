import type { components } from '@kitlane/client'
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
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

function Waiting({ message, onAccepted }: { message: Message; onAccepted: (accepted: AcceptedReport) => void }) {
  const discard = useWrite('post', '/operator/v1/lab/messages/{messageID}/discard')
  const [kitID, setKitID] = useState('')
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
            action={() => discard.mutateAsync({ params })}
            done={t('The message was discarded')}
            isDangerous
          />
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
