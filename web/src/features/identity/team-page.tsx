import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { User } from '../../api/shapes.ts'
import { useSession } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { Tone } from '../../components/status-label.ts'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { InvitationLink } from './invitation-link.tsx'
import { SignInPolicySwitch } from './sign-in-policy-switch.tsx'

const roles: { value: User['role']; label: string }[] = [
  { value: 'business-admin', label: t('Administrator') },
  { value: 'business-viewer', label: t('Read only') },
]

const statuses: Record<User['status'], { label: string; tone: Tone }> = {
  active: { label: t('Active'), tone: 'good' },
  invited: { label: t('Invited'), tone: 'info' },
  disabled: { label: t('Disabled'), tone: 'idle' },
}

export function TeamPage() {
  const [opened, { open, close }] = useDisclosure()
  const [link, setLink] = useState<string>()
  const users = useRead('/api/v1/users')
  return (
    <>
      <PageHeader
        title={t('Settings')}
        sentence={t('Who can sign in to this business, live and sandbox.')}
        actions={
          <Button onClick={open} aria-haspopup="dialog">
            {t('Invite someone')}
          </Button>
        }
      />
      <SettingsTabs />
      <InvitationLink url={link} />
      <SignInPolicySwitch />
      <DataTable
        label={t('Team')}
        rows={users.data}
        error={users.error}
        retry={() => void users.refetch()}
        rowKey={({ id }) => id}
        columns={columns}
        empty={{ title: t('No users yet'), text: t('Invite the people who work for this business.') }}
      />
      <Invite
        opened={opened}
        onClose={close}
        onInvited={(url) => {
          close()
          setLink(url)
          notifications.show({ message: t('Invited') })
        }}
      />
    </>
  )
}

const columns: Column<User>[] = [
  {
    header: t('Person'),
    cell: ({ name, email }) => (
      <>
        {name ?? email}
        {name && (
          <Text size="xs" c="dimmed">
            {email}
          </Text>
        )}
      </>
    ),
  },
  { header: t('Role'), cell: (user) => <RoleSelect user={user} /> },
  {
    header: t('Status'),
    cell: ({ status, endsWithSupportAccess }) => (
      <>
        <StatusDot tone={statuses[status].tone}>{statuses[status].label}</StatusDot>
        {endsWithSupportAccess && (
          <Text size="xs" c="dimmed">
            {t('Until the support access ends')}
          </Text>
        )}
      </>
    ),
  },
  { header: t('Second factor'), cell: ({ secondFactor }) => (secondFactor ? t('On') : t('Off')), isMinor: true },
  { header: t('Last seen'), cell: ({ lastSeenDate }) => <RelativeDate value={lastSeenDate} />, isMinor: true },
  { header: t('Actions'), cell: (user) => <UserActions user={user} />, align: 'right', hasButtons: true },
]

function RoleSelect({ user }: { user: User }) {
  const change = useWrite('patch', '/api/v1/users/{userID}')
  const { user: me } = useSession()
  return (
    <>
      <Select
        size="xs"
        w={140}
        aria-label={t('Role of {email}', { email: user.email })}
        data={roles}
        value={user.role}
        disabled={change.isPending || user.id === me.id}
        allowDeselect={false}
        onChange={(role) => role && change.mutate({ params: { path: { userID: user.id } }, body: { role } })}
      />
      {change.error && (
        <Text size="xs" c="var(--k-bad)" role="alert">
          {change.error.sentence}
        </Text>
      )}
    </>
  )
}

function UserActions({ user }: { user: User }) {
  const { user: me } = useSession()
  const change = useWrite('patch', '/api/v1/users/{userID}')
  const remove = useWrite('delete', '/api/v1/users/{userID}')
  const keep = useWrite('post', '/api/v1/users/{userID}/keep')
  const params = { path: { userID: user.id } }
  if (user.id === me.id) return null
  const isDisabled = user.status === 'disabled'
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {user.endsWithSupportAccess && (
        <ConfirmButton
          label={t('Keep')}
          size="xs"
          sentence={t('The operator invited {email}. They stay after the support access has ended.', {
            email: user.email,
          })}
          action={() => keep.mutateAsync({ params })}
          done={t('Kept')}
        />
      )}
      {user.status !== 'invited' && (
        <ConfirmButton
          label={isDisabled ? t('Enable') : t('Disable')}
          size="xs"
          sentence={
            isDisabled
              ? t('{email} can sign in again.', { email: user.email })
              : t('{email} is signed out everywhere at once.', { email: user.email })
          }
          action={() => change.mutateAsync({ params, body: { disabled: !isDisabled } })}
          done={isDisabled ? t('Enabled') : t('Disabled')}
        />
      )}
      <ConfirmButton
        label={t('Remove')}
        size="xs"
        isDangerous
        sentence={t('{email} loses access to this business.', { email: user.email })}
        action={() => remove.mutateAsync({ params })}
        done={t('Removed')}
      />
    </Group>
  )
}

interface InviteProps {
  opened: boolean
  onClose: () => void
  onInvited: (url: string | undefined) => void
}

function Invite({ opened, onClose, onInvited }: InviteProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<User['role']>('business-viewer')
  const invite = useWrite('post', '/api/v1/users')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    invite.mutate(
      { body: { email: email.trim(), role } },
      {
        onSuccess: ({ invitationUrl }) => {
          setEmail('')
          onInvited(invitationUrl)
        },
      },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title={t('Invite someone')} centered>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label={t('E-mail')}
            type="email"
            required
            data-autofocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Select
            label={t('Role')}
            data={roles}
            value={role}
            allowDeselect={false}
            onChange={(next) => next && setRole(next)}
          />
          {invite.error && <ErrorAlert error={invite.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={invite.isPending}>
              {t('Send the invitation')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
