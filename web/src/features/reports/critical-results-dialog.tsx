import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'
import { localTime } from './local-time.ts'

export interface Notified {
  person: string
  /** RFC 3339. */
  at: string
}

interface CriticalResultsDialogProps {
  opened: boolean
  /** The critical results, by name. */
  critical: readonly string[]
  isBusy: boolean
  error: unknown
  /** Where they are acknowledged. */
  page: string
  onClose: () => void
  onPublish: (notified: Notified) => void
  /** Besides, such as a note; publishing waits while it is not complete. */
  children?: ReactNode
  isIncomplete?: boolean
}

/** Asks who was notified of critical results, and when, before their report is published. */
export function CriticalResultsDialog({
  opened,
  critical,
  isBusy,
  error,
  page,
  onClose,
  onPublish,
  children,
  isIncomplete = false,
}: CriticalResultsDialogProps) {
  const [who, setWho] = useState('')
  const [at, setAt] = useState(() => localTime(new Date()))
  const publish = (event: FormEvent) => {
    event.preventDefault()
    onPublish({ person: who.trim(), at: new Date(at).toISOString() })
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('Critical results')} centered closeOnClickOutside={!isBusy}>
      <form onSubmit={publish}>
        <Stack gap="sm">
          <Alert color="red" variant="light">
            {critical.join(', ')}
          </Alert>
          <Text>
            {t(
              'Someone must be told about these results in person before the report is published. The audit keeps what you enter here.',
            )}
          </Text>
          <PageLink to={page}>{t('First, each of them is acknowledged with its value read back')}</PageLink>
          <TextInput
            label={t('Who was notified?')}
            description={t('The person tested, or their doctor')}
            required
            value={who}
            onChange={(event) => setWho(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <TextInput
            label={t('When?')}
            type="datetime-local"
            required
            max={localTime(new Date())}
            value={at}
            onChange={(event) => setAt(event.currentTarget.value)}
          />
          {children}
          {error !== null && error !== undefined && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isBusy}>
              {t('Not yet')}
            </Button>
            <Button type="submit" loading={isBusy} disabled={who.trim() === '' || at === '' || isIncomplete}>
              {t('Publish')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
