import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { useDisclosure, useFocusReturn } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { ConfirmButton } from '../../../components/confirm-button.tsx'
import { IdText } from '../../../components/id-text.tsx'
import { dayOf } from '../../../components/relative-date.tsx'
import { SecretDialog } from '../../../components/secret-dialog.tsx'
import { Section } from '../../../components/section.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { roleName } from '../user-status.tsx'
import type { AnySide, ConnectionBody } from './connection-draft.ts'
import { ConnectionForm } from './connection-form.tsx'
import { TryIt } from './try-it.tsx'

interface ConnectionSectionProps {
  connection: AnySide
  roles: readonly string[]
  save: (body: ConnectionBody) => Promise<unknown>
  remove: () => Promise<unknown>
  provisioning: Provisioning
}

/** The token with which the provider manages users. */
export interface Provisioning {
  create: () => Promise<{ token: string }>
  end: () => Promise<unknown>
}

/** One single sign-on with all that its administrator set. */
export function ConnectionSection({ connection, roles, save, remove, provisioning }: ConnectionSectionProps) {
  const [opened, { open, close }] = useDisclosure()
  // The form goes with the dialog: nothing of it is left that could give the focus back.
  useFocusReturn({ opened })
  const { name, issuer, clientID, redirectURI, groupRoles, groupClaim, enforced, emergencyAccount } = connection
  return (
    <Section
      title={name}
      action={
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={open} aria-haspopup="dialog">
            {t('Change')}
          </Button>
          <ConfirmButton
            label={t('Remove')}
            size="xs"
            isDangerous
            sentence={t(
              'People can no longer sign in with {name}, and its sessions end. They keep their roles, and may choose a password.',
              { name },
            )}
            action={remove}
            done={t('Removed')}
          />
        </Group>
      }
    >
      <Stack gap="xs">
        <Fact name={t('Redirect URI')}>
          <IdText value={redirectURI} />
        </Fact>
        <Fact name={t('Issuer')}>{issuer}</Fact>
        <Fact name={t('Client ID')}>{clientID}</Fact>
        <Fact name={t('Domains')}>
          <DomainList domains={connection.domains} />
        </Fact>
        <Fact name="SCIM">
          <ScimToken connection={connection} provisioning={provisioning} />
        </Fact>
        <Fact name={t('Passwords')}>
          {enforced
            ? t('Refused, except to {account}', { account: emergencyAccount ?? t('the emergency account') })
            : t('Allowed')}
        </Fact>
        <TryIt connection={connection} />
      </Stack>
      {groupRoles.length === 0 ? (
        <Text c="dimmed">{t('No group has a role yet, so nobody can sign in.')}</Text>
      ) : (
        <Table aria-label={t('Groups and roles')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Group (claim {claim})', { claim: groupClaim })}</Table.Th>
              <Table.Th>{t('Role')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {groupRoles.map(({ group, role }) => (
              <Table.Tr key={group}>
                <Table.Td>{group}</Table.Td>
                <Table.Td>{roleName(role)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {opened && (
        <ConnectionForm
          connection={connection}
          roles={roles}
          onClose={close}
          save={async (body) => {
            await save(body)
            notifications.show({ message: t('Saved') })
          }}
        />
      )}
    </Section>
  )
}

function ScimToken({ connection, provisioning }: { connection: AnySide; provisioning: Provisioning }) {
  const [secret, setSecret] = useState<string>()
  const { scimTokenDate } = connection
  return (
    <Stack gap="xs">
      {scimTokenDate === undefined
        ? t('Off: people appear when they first sign in')
        : t('The provider manages users and groups, with a token of {day}', { day: dayOf(scimTokenDate) })}
      <Group gap="xs">
        <ConfirmButton
          label={scimTokenDate === undefined ? t('Create a token') : t('Replace the token')}
          size="compact-sm"
          sentence={t('Your provider sends it to {origin}/scim/v2. A token from before stops working.', {
            origin: location.origin,
          })}
          action={async () => setSecret((await provisioning.create()).token)}
        />
        {scimTokenDate !== undefined && (
          <ConfirmButton
            label={t('End the token')}
            size="compact-sm"
            isDangerous
            sentence={t('The provider no longer manages users: who leaves there stays here. What it made stays too.')}
            action={provisioning.end}
            done={t('The token was ended')}
          />
        )}
      </Group>
      <SecretDialog
        title={t('The token for SCIM')}
        sentence={t('Enter it at your provider, with the address {origin}/scim/v2.', { origin: location.origin })}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </Stack>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <Group gap="xs" align="flex-start">
      <Text c="dimmed" w={110}>
        {name}
      </Text>
      <Text component="div" style={{ overflowWrap: 'anywhere', flex: 1 }}>
        {children}
      </Text>
    </Group>
  )
}

function DomainList({ domains }: { domains: AnySide['domains'] }) {
  if (domains.length === 0) return t('None: nobody can sign in')
  return (
    <Stack gap={2}>
      {domains.map(({ domain, verified }) => (
        <StatusDot key={domain} tone={verified ? 'good' : 'fair'}>
          {verified ? domain : t('{domain}: waits for the operator to verify it', { domain })}
        </StatusDot>
      ))}
    </Stack>
  )
}
