import { Grid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { Ledger } from '../credits/ledger.tsx'
import { Cards } from './cards.tsx'

export function BillingPage() {
  return (
    <>
      <PageHeader title={t('Billing')} sentence={t('One credit pays for one kit of its panel.')} />
      <Stack gap="lg">
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Credits />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Cards />
          </Grid.Col>
        </Grid>
        <Ledger />
      </Stack>
    </>
  )
}

function Credits() {
  const credits = useRead('/api/v1/credits')
  const { nameOf } = usePanels()
  return (
    <Sheet h="100%">
      <Title order={2} mb="xs">
        {t('Credits')}
      </Title>
      {credits.error && <ErrorAlert error={credits.error} retry={() => void credits.refetch()} />}
      {credits.isPending && <Skeleton height={160} />}
      {credits.data?.length === 0 && (
        <Text c="dimmed">{t('No panel is enabled yet. Ask the operator to enable one.')}</Text>
      )}
      <WideTable label={t('Credits')} verticalSpacing={6}>
        <Table.Tbody>
          {credits.data?.map(({ type, credits: left }) => (
            <Table.Tr key={type}>
              <Table.Td>{nameOf(type)}</Table.Td>
              <Table.Td ta="right">{(left ?? 0).toLocaleString('en')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      <Text size="sm" c="dimmed" mt="xs">
        {t('Ask the operator for more credits.')}
      </Text>
    </Sheet>
  )
}
