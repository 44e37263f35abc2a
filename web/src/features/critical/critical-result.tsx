import type { components } from '@kitlane/client'
import { Badge, Group, Stack, Text, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'

type Critical = components['schemas']['CriticalResult']

interface CriticalResultProps {
  result: Critical
  /** What it belongs to: report, kit, person. */
  links: ReactNode
  acknowledge: (said: { readBack: string; who: string; note?: string }) => Promise<unknown>
}

/** A critical result: its value, why it is critical, who was told, and its acknowledgement. */
export function CriticalResult({ result, links, acknowledge }: CriticalResultProps) {
  const { name, value, unit, why, state, raisedDate, told } = result
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
          {told.length === 0 && <Text c="dimmed">{t('Nobody was told yet.')}</Text>}
          {told.map(({ step, who, at }) => (
            <Text key={`${step} ${at}`} c="dimmed" size="sm">
              {t('{exact}: {who} was told', { exact: exactOf(at), who })}
            </Text>
          ))}
        </Stack>
        <Group justify="space-between">
          <Group gap="md">{links}</Group>
          {state === 'open' && <Acknowledge name={name} acknowledge={acknowledge} />}
        </Group>
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
      {isOverdue ? t('Overdue') : t('Until {exact}', { exact: exactOf(deadlineDate) })}
    </Badge>
  )
}

function Done({ result: { acknowledged } }: { result: Critical }) {
  if (!acknowledged) return null
  const { who, at, readBack, note, inTime } = acknowledged
  return (
    <Text>
      {who} acknowledged it on {exactOf(at)}, {inTime ? t('in time') : 'late'}, and read back “{readBack}”.
      {note && ` ${note}`}
    </Text>
  )
}

function Acknowledge({ name, acknowledge }: { name: string; acknowledge: CriticalResultProps['acknowledge'] }) {
  const [readBack, setReadBack] = useState('')
  const [who, setWho] = useState('')
  const [note, setNote] = useState('')
  const said = note.trim()
  return (
    <ConfirmButton
      label={t('Acknowledge')}
      variant="filled"
      sentence={t('Call the person who takes care of it, and let them read the value back to you.')}
      action={() => acknowledge({ readBack: readBack.trim(), who: who.trim(), ...(said && { note: said }) })}
      done={t('{name} is acknowledged', { name })}
    >
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
    </ConfirmButton>
  )
}
