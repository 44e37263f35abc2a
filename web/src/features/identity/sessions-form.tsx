import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { rich, t } from '../../language/t.ts'

interface OwnSession {
  id: string
  browser?: string
  network?: string
  createdDate: string
  lastSeenDate: string
  isCurrent: boolean
}

/** Where the person is signed in now. */
export function SessionsForm() {
  const sessions = useRead('/api/v1/sessions')
  const endOthers = useWrite('delete', '/api/v1/sessions')
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <Sheet aria-label={t('Sessions')}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>{t('Sessions')}</Title>
          {others.length > 1 && (
            <ConfirmButton
              label={t('End all others')}
              size="xs"
              sentence={t('You stay signed in here and are signed out in {count} other places.', {
                count: others.length,
              })}
              action={() => endOthers.mutateAsync({})}
              done={t('The other sessions were ended')}
            />
          )}
        </Group>
        <Text c="dimmed">{t('Where you are signed in. End what you do not know, then change your password.')}</Text>
        {sessions.error && <ErrorAlert error={sessions.error} retry={() => void sessions.refetch()} />}
        {sessions.data?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </Stack>
    </Sheet>
  )
}

function SessionRow({
  session: { id, browser, network, createdDate, lastSeenDate, isCurrent },
}: {
  session: OwnSession
}) {
  const end = useWrite('delete', '/api/v1/sessions/{sessionID}')
  const endIt = async () => {
    try {
      await end.mutateAsync({ params: { path: { sessionID: id } } })
      notifications.show({ message: t('The session was ended') })
    } catch {
      // Shown below, as `end.error`.
    }
  }
  const name = browser ?? t('A browser that is not known')
  const since = <RelativeDate value={createdDate} />
  const used = <RelativeDate value={lastSeenDate} />
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {isCurrent && <Badge variant="light">{t('This one')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {network
            ? rich('From {network}, signed in {since}, last used {used}', { network, since, used })
            : rich('Signed in {since}, last used {used}', { since, used })}
        </Text>
        {end.error && <ErrorAlert error={end.error} />}
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('End {name}', { name })}
          loading={end.isPending}
          onClick={() => void endIt()}
        >
          {t('End')}
        </Button>
      )}
    </Group>
  )
}
