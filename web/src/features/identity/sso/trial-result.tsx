import { Alert, Stack, Table, Text } from '@mantine/core'
import type { SsoTrial } from '../../../api/shapes.ts'
import { t } from '../../../language/t.ts'
import { roleName } from '../user-status.tsx'
import { presetOf } from './presets.ts'

/** What a sign-in would have done, and which claims came. */
export function TrialResult({ trial: { claims, person, stopped }, issuer }: { trial: SsoTrial; issuer: string }) {
  const remedy = stopped && presetOf(issuer)?.remedies[stopped.reason]
  return (
    <Stack gap="sm">
      {stopped && (
        <Alert color="red" title={t('This person could not sign in')}>
          {stopped.message}. {remedy}
        </Alert>
      )}
      {person && (
        <Alert color="green" title={t('This person could sign in')}>
          {person.roleNow && person.roleNow !== person.role
            ? t('{email} would be {role}, and is {before} today.', {
                email: person.email,
                role: roleName(person.role),
                before: roleName(person.roleNow),
              })
            : t('{email} would be {role}.', { email: person.email, role: roleName(person.role) })}
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        {t('Nobody was signed in, and nothing was changed.')}
      </Text>
      {claims.length > 0 && (
        <Table aria-label={t('What the provider sent')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Claim')}</Table.Th>
              <Table.Th>{t('Value')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {claims.map(({ name, value }) => (
              <Table.Tr key={name}>
                <Table.Td ff="monospace">{name}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  )
}
