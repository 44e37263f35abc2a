import { Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { StaffMember } from '../../api/operator-shapes.ts'
import { useSession } from '../../app/session.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { roleName, UserStatus } from './user-status.tsx'

type Role = StaffMember['role']
const all: readonly Role[] = ['operator-admin', 'fulfilment', 'lab', 'reviewer']
const roles = all.map((value) => ({ value, label: roleName(value) }))

export function StaffPage() {
  const staff = useRead('/operator/v1/staff')
  const invite = useWrite('post', '/operator/v1/staff')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('fulfilment')
  return (
    <>
      <PageHeader
        title="Staff"
        sentence="The operator's staff and their roles."
        actions={
          <ConfirmButton
            label="Invite"
            variant="filled"
            sentence="We send them a link that works for 72 hours. The role takes effect once they have used it."
            action={async () => {
              await invite.mutateAsync({ body: { email: email.trim(), role } })
              setEmail('')
            }}
            done="Invited"
          >
            <Stack gap="sm">
              <TextInput
                type="email"
                label="E-mail"
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
                required
              />
              <Select
                label="Role"
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
        label="Staff"
        rows={staff.data}
        error={staff.error}
        retry={() => void staff.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: 'E-mail', cell: ({ email: address }) => address },
          { header: 'Name', cell: ({ name }) => name ?? '–', isMinor: true },
          { header: 'Role', cell: (person) => <RoleOf person={person} /> },
          { header: 'Status', cell: (person) => <UserStatus person={person} /> },
          { header: 'Second factor', cell: ({ secondFactor }) => (secondFactor ? 'On' : 'Off'), isMinor: true },
          { header: 'Last seen', cell: ({ lastSeenDate }) => <RelativeDate value={lastSeenDate} />, isMinor: true },
          { header: 'Change', cell: (person) => <Change person={person} /> },
        ]}
        empty={{ title: 'No staff yet', text: 'Invite the people who pack kits, receive samples and review reports.' }}
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
      aria-label={`Role of ${person.email}`}
      size="xs"
      w={150}
      data={roles}
      value={person.role}
      onChange={(role) => role && change.mutate({ params: { path: { userID: person.id } }, body: { role } })}
      error={change.error?.message}
      allowDeselect={false}
    />
  )
}

function Change({ person }: { person: StaffMember }) {
  const change = useWrite('patch', '/operator/v1/staff/{userID}')
  const remove = useWrite('delete', '/operator/v1/staff/{userID}')
  const { user } = useSession()
  const params = { path: { userID: person.id } }
  if (user.id === person.id) return <>You</>
  if (person.status === 'disabled') {
    return (
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change.mutate({ params, body: { disabled: false } })}
        >
          Enable
        </Button>
        <ConfirmButton
          label="Remove"
          size="compact-sm"
          sentence={`${person.email} is removed from the staff. Their actions stay in the audit.`}
          action={() => remove.mutateAsync({ params })}
          isDangerous
        />
      </Group>
    )
  }
  return (
    <ConfirmButton
      label="Disable"
      size="compact-sm"
      sentence={`${person.email} is signed out everywhere at once and cannot sign in until you enable them again.`}
      action={() => change.mutateAsync({ params, body: { disabled: true } })}
      isDangerous
    />
  )
}
