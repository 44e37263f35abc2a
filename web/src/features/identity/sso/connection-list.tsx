import { Button, Skeleton, Stack } from '@mantine/core'
import { useDisclosure, useFocusReturn } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { Problem } from '../../../api/problem.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorAlert } from '../../../components/error-alert.tsx'
import { t } from '../../../language/t.ts'
import type { AnySide, ConnectionBody } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import { ConnectionSection, type Provisioning } from './connection-section.tsx'

interface ConnectionListProps {
  connections: { data: AnySide[] | undefined; error: Problem | null; refetch: () => unknown }
  roles: readonly string[]
  create: (body: ConnectionBody) => Promise<unknown>
  save: (id: string, body: ConnectionBody) => Promise<unknown>
  remove: (id: string) => Promise<unknown>
  provisioning: (id: string) => Provisioning
}

/** The single sign-on of one side, with the form for a new one. */
export function ConnectionList({ connections, roles, create, save, remove, provisioning }: ConnectionListProps) {
  const [opened, { open, close }] = useDisclosure()
  // The form goes with the dialog: nothing of it is left that could give the focus back.
  useFocusReturn({ opened })
  const add = (
    <Button onClick={open} w="fit-content" aria-haspopup="dialog">
      {t('New single sign-on')}
    </Button>
  )
  if (connections.error) {
    return <ErrorAlert error={connections.error} retry={() => void connections.refetch()} />
  }
  if (!connections.data) return <Skeleton h={160} />
  return (
    <Stack gap="md">
      {connections.data.map((connection) => (
        <ConnectionSection
          key={connection.id}
          connection={connection}
          roles={roles}
          save={(body) => save(connection.id, body)}
          remove={() => remove(connection.id)}
          provisioning={provisioning(connection.id)}
        />
      ))}
      {connections.data.length === 0 ? (
        <EmptyState
          title={t('No single sign-on yet')}
          text={t(
            'Your people can sign in at your own identity provider (OpenID Connect), and its groups decide their roles.',
          )}
          action={add}
        />
      ) : (
        add
      )}
      {opened && (
        <ConnectionForm
          roles={roles}
          onClose={close}
          save={async (body) => {
            await create(body)
            notifications.show({ message: t('Saved') })
          }}
        />
      )}
    </Stack>
  )
}
