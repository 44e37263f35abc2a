import { Table, Text } from '@mantine/core'
import type { Overview } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { locale, t } from '../../language/t.ts'

export function CreditsLeft({ credits }: { credits: Overview['credits'] }) {
  const path = useRealmPath()
  if (credits.length === 0)
    return <Text c="dimmed">{t('No panel is enabled yet. Ask the operator to enable one.')}</Text>
  return (
    <>
      <WideTable label={t('Credits left')} verticalSpacing={6}>
        <Table.Tbody>
          {credits.map(({ type, name, available, low }) => (
            <Table.Tr key={type}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{low && <StatusDot tone="fair">{t('Low')}</StatusDot>}</Table.Td>
              <Table.Td ta="right">{available.toLocaleString(locale())}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <PageLink to={path('billing')} size="sm">
        {t('Billing')}
      </PageLink>
    </>
  )
}
