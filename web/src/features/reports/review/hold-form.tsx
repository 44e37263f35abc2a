import { Button, Group, Kbd, Select, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { exactOf } from '../../../components/relative-date.tsx'
import { t } from '../../../language/t.ts'
import type { Reviewed } from '../harm.ts'

const DAY_MS = 86_400_000
const terms = [
  { value: '1', label: t('For a day') },
  { value: '3', label: t('For three days') },
  { value: '7', label: t('For a week') },
  { value: '14', label: t('For two weeks') },
  { value: '30', label: t('For thirty days') },
]

/** Holds the report back: why, and until when. */
export function HoldForm({ reportID, onDone }: { reportID: string; onDone: () => void }) {
  const hold = useWrite('post', '/operator/v1/reports/{reportID}/hold')
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('3')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const untilDate = new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    hold.mutate(
      { params: { path: { reportID } }, body: { reason: reason.trim(), untilDate } },
      {
        onSuccess: () => {
          notifications.show({ message: t('Report {reportID} is held', { reportID }) })
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} aria-label={t('Hold')}>
      <Stack gap="xs">
        <Textarea
          label={t('Why is it held?')}
          description={t('For other reviewers. Enter holds it.')}
          required
          autosize
          minRows={1}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onDone()
            if (event.key !== 'Enter' || event.shiftKey) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
          data-autofocus
          autoFocus
        />
        <Select
          label={t('How long?')}
          allowDeselect={false}
          data={terms}
          value={days}
          onChange={(value) => setDays(value ?? '3')}
        />
        {hold.error && <ErrorAlert error={hold.error} />}
        <Group gap="xs">
          <Button type="submit" loading={hold.isPending} disabled={reason.trim() === ''}>
            {t('Hold')}
          </Button>
          <Button variant="default" onClick={onDone}>
            {t('Cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface HeldProps {
  hold: NonNullable<Reviewed['hold']>
  release: () => void
  isBusy: boolean
  error: unknown
}

/** Who holds it, why and until when. */
export function Held({ hold: { by, reason, untilDate, isMine }, release, isBusy, error }: HeldProps) {
  const until = exactOf(untilDate)
  return (
    <Stack gap="xs">
      <Text fw={600}>
        {isMine ? t('You hold it until {until}', { until }) : t('{by} holds it until {until}', { by, until })}
      </Text>
      <Text>{reason}</Text>
      {error !== null && error !== undefined && <ErrorAlert error={error} />}
      <div>
        <Button
          onClick={release}
          loading={isBusy}
          rightSection={
            <Kbd size="xs" visibleFrom="sm">
              L
            </Kbd>
          }
        >
          {t('Release')}
        </Button>
      </div>
    </Stack>
  )
}
