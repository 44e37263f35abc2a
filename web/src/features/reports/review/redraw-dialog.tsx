import { Button, Checkbox, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useWrite } from '../../../api/hooks.ts'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { t } from '../../../language/t.ts'
import { reasons } from '../../lab/intake/rejection-reasons.ts'

interface RedrawDialogProps {
  reportID: string
  opened: boolean
  onClose: () => void
  onDone: () => void
}

/** Asks for another sample: why, and whether a free kit is sent. */
export function RedrawDialog({ reportID, opened, onClose, onDone }: RedrawDialogProps) {
  const redraw = useWrite('post', '/operator/v1/reports/{reportID}/redraw')
  const [reason, setReason] = useState<(typeof reasons)[number][0]>('hemolysis')
  const [note, setNote] = useState('')
  const [replace, setReplace] = useState(true)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = note.trim()
    redraw.mutate(
      { params: { path: { reportID } }, body: { reason, replace, ...(trimmed && { note: trimmed }) } },
      {
        onSuccess: ({ replacementKitID }) => {
          notifications.show({
            message: replacementKitID
              ? t('The sample is rejected, and kit {replacementKitID} is sent', { replacementKitID })
              : t('The sample is rejected'),
          })
          onDone()
        },
      },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('Ask for another sample')} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text>
            {t(
              'The sample is rejected and this report with it. The person is told, as when the laboratory rejects it.',
            )}
          </Text>
          <Radio.Group label={t('Why?')} value={reason} onChange={(value) => setReason(value as typeof reason)}>
            <Stack gap={6} mt="xs">
              {reasons.map(([value, label]) => (
                <Radio key={value} value={value} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={t('In a few words')}
            description={t('The business reads it.')}
            maxLength={300}
            autosize
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Checkbox
            label={t('Send a free kit in its place')}
            checked={replace}
            onChange={(event) => setReplace(event.currentTarget.checked)}
          />
          {redraw.error && <ErrorAlert error={redraw.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Go back')}
            </Button>
            <Button type="submit" color="red.8" loading={redraw.isPending}>
              {t('Reject the sample')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
