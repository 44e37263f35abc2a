import type { components } from '@kitlane/client'
import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'

type Critical = components['schemas']['CriticalResult']

interface CriticalResultProps {
  result: Critical
  /** What it belongs to: report, kit, person; absent inside of its report. */
  links?: ReactNode
  /** The fields of its acknowledgement stand here, not in a dialog. */
  isInline?: boolean
  acknowledge: (acknowledgement: { readBack: string; who: string; note?: string }) => Promise<unknown>
}

/** A critical result: its value, why it is critical, who was notified, and its acknowledgement. */
export function CriticalResult({ result, links, isInline = false, acknowledge }: CriticalResultProps) {
  const { name, value, unit, why, state, raisedDate, notified } = result
  return (
    <Sheet aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Group gap="md" style={{ overflowWrap: 'anywhere' }}>
            <Text fw={600}>{name}</Text>
            <Text ff="monospace">{[value, unit].filter(Boolean).join(' ')}</Text>
            <Standing result={result} />
          </Group>
          <RelativeDate value={raisedDate} />
        </Group>
        <Text>{why}</Text>
        <Stack gap={2}>
          {notified.length === 0 && <Text c="dimmed">{t('Nobody was notified yet.')}</Text>}
          {notified.map(({ step, person, at }) => (
            <Text key={`${step} ${at}`} c="dimmed" size="sm">
              {t('{at}: {who} was notified', { at: exactOf(at), who: person })}
            </Text>
          ))}
        </Stack>
        <Group justify="space-between">
          <Group gap="md">{links}</Group>
          {state === 'open' && !isInline && <Acknowledge name={name} acknowledge={acknowledge} />}
        </Group>
        {state === 'open' && isInline && <AcknowledgeHere name={name} acknowledge={acknowledge} />}
        <Done result={result} />
      </Stack>
    </Sheet>
  )
}

function Standing({ result: { state, deadlineDate } }: { result: Critical }) {
  if (state === 'acknowledged')
    return (
      <Badge tt="none" variant="default">
        {t('Acknowledged')}
      </Badge>
    )
  if (state === 'withdrawn')
    return (
      <Badge tt="none" variant="default">
        {t('Taken back')}
      </Badge>
    )
  const isOverdue = Date.parse(deadlineDate) < Date.now()
  return (
    <Badge tt="none" color={isOverdue ? 'red.8' : 'gray.7'}>
      {isOverdue ? t('Overdue') : t('Until {at}', { at: exactOf(deadlineDate) })}
    </Badge>
  )
}

function Done({ result: { acknowledged } }: { result: Critical }) {
  if (!acknowledged) return null
  const { who, at, readBack, note, inTime } = acknowledged
  return (
    <Text>
      {t(
        '{inTime, select, yes {{who} acknowledged it on {at}, in time, and read back “{readBack}”.} other {{who} acknowledged it on {at}, late, and read back “{readBack}”.}}',
        { who, at: exactOf(at), inTime: inTime ? 'yes' : 'no', readBack },
      )}
      {note && ` ${note}`}
    </Text>
  )
}

interface AcknowledgeProps {
  name: string
  acknowledge: CriticalResultProps['acknowledge']
}

function Acknowledge({ name, acknowledge }: AcknowledgeProps) {
  const { said: acknowledgement, fields } = useAcknowledgement()
  return (
    <ConfirmButton
      label={t('Acknowledge')}
      variant="filled"
      sentence={CALL}
      action={() => acknowledge(acknowledgement)}
      done={t('{name} is acknowledged', { name })}
    >
      {fields}
    </ConfirmButton>
  )
}

/** The same without a dialog. */
function AcknowledgeHere({ name, acknowledge }: AcknowledgeProps) {
  const { said: acknowledgement, fields } = useAcknowledgement()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    acknowledge(acknowledgement)
      .then(() => notifications.show({ message: t('{name} is acknowledged', { name }) }), setError)
      .finally(() => setBusy(false))
  }
  return (
    <form onSubmit={submit} aria-label={t('Acknowledge')}>
      <Stack gap="xs">
        <Text size="sm">{CALL}</Text>
        {fields}
        {error !== undefined && <ErrorAlert error={error} />}
        <div>
          <Button
            type="submit"
            loading={isBusy}
            disabled={acknowledgement.readBack === '' || acknowledgement.who === ''}
          >
            {t('Acknowledge')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

const CALL = t('Call the person who takes care of it, and let them read the value back to you.')

function useAcknowledgement() {
  const [readBack, setReadBack] = useState('')
  const [who, setWho] = useState('')
  const [note, setNote] = useState('')
  const done = note.trim()
  const fields = (
    <>
      <TextInput
        label={t('The value as it was read back')}
        description={t('All of it, or at least its last two digits')}
        required
        maxLength={300}
        value={readBack}
        onChange={(event) => setReadBack(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
      <TextInput
        label={t('Who takes care of it?')}
        required
        maxLength={200}
        value={who}
        onChange={(event) => setWho(event.currentTarget.value)}
        autoComplete="off"
      />
      <TextInput
        label={t('What is done about it')}
        maxLength={300}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        autoComplete="off"
      />
    </>
  )
  return { said: { readBack: readBack.trim(), who: who.trim(), ...(done && { note: done }) }, fields }
}
