import { Group, Table, Text, Title } from '@mantine/core'
import { IdText } from '../../../components/id-text.tsx'
import { PageLink } from '../../../components/page-link.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { UndoRejection } from '../reject-sample.tsx'
import type { Sample } from './use-intake.ts'

interface ScannedSamplesProps {
  samples: readonly Sample[]
  onUndone: (kitID: string) => void
}

/** The samples scanned since the page was opened, newest first. */
export function ScannedSamples({ samples, onUndone }: ScannedSamplesProps) {
  return (
    <section aria-labelledby="samples">
      <Title order={2} id="samples" mb="xs">
        {t('Now')}
      </Title>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('Kit')}</Table.Th>
            <Table.Th scope="col">{t('Business')}</Table.Th>
            <Table.Th scope="col">{t("Laboratory's number")}</Table.Th>
            <Table.Th scope="col">{t('Sample')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {samples.map(({ kitID, business, kitType, accession, caution, state, reason }) => (
            <Table.Tr key={kitID}>
              <Table.Td>
                <Group gap="sm">
                  <IdText value={kitID} />
                  <PageLink to={`/operator/kits/${kitID}`}>{kitType}</PageLink>
                </Group>
              </Table.Td>
              <Table.Td>{business}</Table.Td>
              <Table.Td>{accession ?? '–'}</Table.Td>
              <Table.Td>
                {state === 'rejected' ? (
                  <Group gap="sm">
                    <StatusDot tone="bad">
                      {reason ? t('Rejected: {reason}', { reason: reason.toLowerCase() }) : t('Rejected')}
                    </StatusDot>
                    <UndoRejection kitID={kitID} onDone={() => onUndone(kitID)} />
                  </Group>
                ) : (
                  <StatusDot tone={caution ? 'fair' : 'good'}>{t('Received')}</StatusDot>
                )}
                {caution && (
                  <Text size="sm" c="dimmed">
                    {caution}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
