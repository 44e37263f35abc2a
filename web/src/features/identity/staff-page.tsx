import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { StaffMember } from '../../api/operator-shapes.ts'
import { useSession } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { InvitationLink } from './invitation-link.tsx'
import { roleName, UserStatus } from './user-status.tsx'

type Role = StaffMember['role']
const all: readonly Role[] = ['operator-admin', 'fulfilment', 'lab', 'reviewer', 'provider']
const roles = all.map((value) => ({ value, label: roleName(value) }))

export function StaffPage() {
  const staff = useRead('/operator/v1/staff')
  const invite = useWrite('post', '/operator/v1/staff')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('fulfilment')
  return (
    <>
      <PageHeader
        title={t('Staff')}
        sentence={t("The operator's staff and their roles.")}
        actions={
          <ConfirmButton
            label={t('Invite')}
            variant="filled"
            sentence={t('We send them a link that works for 72 hours. The role takes effect once they have used it.')}
            action={async () => {
              await invite.mutateAsync({ body: { email: email.trim(), role } })
              setEmail('')
            }}
            done={t('Invited')}
          >
            <Stack gap="sm">
              <TextInput
                type="email"
                label={t('E-mail')}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
                required
              />
              <Select
                label={t('Role')}
                data={roles}
                value={role}
                onChange={(value) => value && setRole(value)}
                allowDeselect={false}
              />
            </Stack>
          </ConfirmButton>
        }
      />
      <InvitationLink url={invite.data?.invitationUrl} />
      <DataTable
        label={t('Staff')}
        rows={staff.data}
        error={staff.error}
        retry={() => void staff.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('E-mail'), cell: ({ email: address }) => address },
          { header: t('Name'), cell: ({ name }) => name ?? '–', isMinor: true },
          { header: t('Role'), cell: (person) => <RoleOf person={person} /> },
          { header: t('Status'), cell: (person) => <UserStatus person={person} /> },
          {
            header: t('Second factor'),
            cell: ({ secondFactor }) => (secondFactor ? t('On') : t('Off')),
            isMinor: true,
          },
          { header: t('Last seen'), cell: ({ lastSeenDate }) => <RelativeDate value={lastSeenDate} />, isMinor: true },
          { header: t('Change'), cell: (person) => <Change person={person} />, hasButtons: true },
        ]}
        empty={{
          title: t('No staff yet'),
          text: t('Invite the people who pack kits, receive samples and review reports.'),
        }}
      />
    </>
  )
}

function RoleOf({ person }: { person: StaffMember }) {
  const change = useWrite('patch', '/operator/v1/staff/{userID}')
  const { user } = useSession()
  if (user.id === person.id) return <>{roleName(person.role)}</>
  return (
    <Select
      aria-label={t('Role of {email}', { email: person.email })}
      size="xs"
      w={150}
      data={roles}
      value={person.role}
      onChange={(role) => role && change.mutate({ params: { path: { userID: person.id } }, body: { role } })}
      error={change.error?.sentence}
      allowDeselect={false}
    />
  )
}

function Change({ person }: { person: StaffMember }) {
  const change = useWrite('patch', '/operator/v1/staff/{userID}')
  const remove = useWrite('delete', '/operator/v1/staff/{userID}')
  const { user } = useSession()
  const params = { path: { userID: person.id } }
  if (user.id === person.id) return <>{t('You')}</>
  if (person.status === 'disabled') {
    return (
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change.mutate({ params, body: { disabled: false } })}
        >
          {t('Enable')}
        </Button>
        <ConfirmButton
          label={t('Remove')}
          size="compact-sm"
          sentence={t('{email} is removed from the staff. Their actions stay in the audit.', { email: person.email })}
          action={() => remove.mutateAsync({ params })}
          isDangerous
        />
      </Group>
    )
  }
  return (
    <ConfirmButton
      label={t('Disable')}
      size="compact-sm"
      sentence={t('{email} is signed out everywhere at once and cannot sign in until you enable them again.', {
        email: person.email,
      })}
      action={() => change.mutateAsync({ params, body: { disabled: true } })}
      isDangerous
    />
  )
}
