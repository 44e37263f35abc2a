import { Table, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { SupportAccess } from '../../api/operator-shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { ExactDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'

const words: Record<SupportAccess['state'], string> = {
  waiting: t('Waits for approval'),
  active: t('In the business now'),
  ended: t('Ended'),
  refused: t('Refused by the business'),
  withdrawn: t('Withdrawn'),
  unanswered: t('Not answered'),
}

/** Who of the operator was in a business lately, and why. */
export function BusinessSupport({ businessID }: { businessID: string }) {
  const query = { businessID, size: 10 }
  const accesses = useRead('/operator/v1/support-accesses', { params: { query } })
  return (
    <Section title={t('Support access')}>
      {accesses.error && <ErrorAlert error={accesses.error} retry={() => void accesses.refetch()} />}
      {accesses.data && accesses.data.data.length > 0 && (
        <WideTable label={t('Support access')}>
          <Table.Tbody>
            {accesses.data.data.map((access) => (
              <Row key={access.id} access={access} />
            ))}
          </Table.Tbody>
        </WideTable>
      )}
      {accesses.data?.data.length === 0 && t('Nobody has opened its dashboard yet.')}
    </Section>
  )
}

function Row({ access }: { access: SupportAccess }) {
  const end = useWrite('delete', '/operator/v1/support-accesses/{supportAccessID}')
  const isOpen = access.state === 'active' || access.state === 'waiting'
  return (
    <Table.Tr>
      <Table.Td>
        {access.user.name ?? access.user.email ?? access.user.id}
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {access.reason}
        </Text>
      </Table.Td>
      <Table.Td>{words[access.state]}</Table.Td>
      <Table.Td>
        <ExactDate value={access.startedDate ?? access.requestedDate} />
      </Table.Td>
      <Table.Td>
        {isOpen && (
          <ConfirmButton
            label={t('End')}
            size="compact-sm"
            isDangerous
            sentence={t('They are out at once.')}
            action={() => end.mutateAsync({ params: { path: { supportAccessID: access.id } } })}
          />
        )}
      </Table.Td>
    </Table.Tr>
  )
}
