import { Select, Stack, Table, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { OneBusiness } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'
import { InvitationLink } from '../identity/invitation-link.tsx'
import { roleName, UserStatus } from '../identity/user-status.tsx'

type Role = 'business-admin' | 'business-viewer'

export function BusinessUsers({ business }: { business: OneBusiness }) {
  const invite = useWrite('post', '/operator/v1/businesses/{businessID}/users')
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('business-admin')
  return (
    <Section
      title={t('Users')}
      action={
        <ConfirmButton
          label={t('Invite a user')}
          sentence={t(
            'We send them a link that works for 72 hours. They go when your support access ends, unless an administrator of the business keeps them.',
          )}
          action={async () => {
            await invite.mutateAsync({
              params: { path: { businessID: business.id } },
              body: { email: email.trim(), role },
            })
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
              data={(['business-admin', 'business-viewer'] as const).map((value) => ({
                value,
                label: roleName(value),
              }))}
              value={role}
              onChange={(value) => value && setRole(value)}
              allowDeselect={false}
            />
          </Stack>
        </ConfirmButton>
      }
    >
      <InvitationLink url={invite.data?.invitationUrl} />
      <WideTable label={t('Users')}>
        <Table.Tbody>
          {business.users.map((person) => (
            <Table.Tr key={person.id}>
              <Table.Td>{person.email}</Table.Td>
              <Table.Td>{roleName(person.role)}</Table.Td>
              <Table.Td>
                <UserStatus person={person} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {business.users.length === 0 && t('No users yet. Invite an administrator.')}
    </Section>
  )
}
