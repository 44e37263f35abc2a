import type { components } from '@kitlane/client'
import { Table, Text, Title } from '@mantine/core'
import { Sheet } from '../../components/sheet.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { said, t } from '../../language/t.ts'
import { ResultFlag } from './result-flag.tsx'

/** Which of them wait, so that who publishes says what was seen. */
export const idsOf = (results: readonly { id?: string | undefined }[]): string[] =>
  results.flatMap(({ id }) => (id === undefined ? [] : [id]))

/** The laboratory's results that could not be assessed, critical first, each with the reason. */
export function UnassessedSection({ results }: { results: readonly components['schemas']['UnassessedResult'][] }) {
  if (results.length === 0) return null
  return (
    <Sheet aria-label={t('Not assessed')}>
      <Title order={2} mb="xs">
        {t('Not assessed')}
      </Title>
      <WideTable label={t('Results that were not assessed')} verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            {[t('Name'), t('Result'), t('Flag'), t('Range'), t('Why it was not assessed')].map((header) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.map(({ name, value, unit, range, flag, reason, critical }, index) => (
            <Table.Tr key={index}>
              <Table.Td fw={critical ? 600 : undefined}>{name || t('No name')}</Table.Td>
              <Table.Td ff="monospace">{[value || t('no value'), unit].filter(Boolean).join(' ')}</Table.Td>
              <Table.Td>
                <ResultFlag flag={flag} critical={critical} />
              </Table.Td>
              <Table.Td>{range || t('None')}</Table.Td>
              <Table.Td miw={220}>
                <Text c="dimmed">{reason ? said(reason) : t('The value could not be assessed.')}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
    </Sheet>
  )
}
