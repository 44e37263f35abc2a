import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'

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
    <Sheet aria-label="Sessions">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>Sessions</Title>
          {others.length > 1 && (
            <ConfirmButton
              label="End all others"
              size="xs"
              sentence={`You stay signed in here and are signed out in ${others.length} other places.`}
              action={() => endOthers.mutateAsync({})}
              done="The other sessions were ended"
            />
          )}
        </Group>
        <Text c="dimmed">Where you are signed in. End what you do not know, then change your password.</Text>
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
      notifications.show({ message: 'The session was ended' })
    } catch {
      // Shown below, as `end.error`.
    }
  }
  const words = browser ?? 'A browser that is not known'
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600}>{words}</Text>
          {isCurrent && <Badge variant="light">This one</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {network && <>From {network}, </>}
          signed in <RelativeDate value={createdDate} />, last used <RelativeDate value={lastSeenDate} />
        </Text>
        {end.error && <ErrorAlert error={end.error} />}
      </div>
      {!isCurrent && (
        <Button
          size="xs"
          variant="default"
          aria-label={`End ${words}`}
          loading={end.isPending}
          onClick={() => void endIt()}
        >
          End
        </Button>
      )}
    </Group>
  )
}
