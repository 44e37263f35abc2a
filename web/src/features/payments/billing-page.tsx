import { Alert, Grid, Skeleton, Stack, Table, Text, Title } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { locale, t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { Ledger } from '../credits/ledger.tsx'
import { BuyCredits } from './buy-credits.tsx'
import { Cards } from './cards.tsx'
import { PaymentList } from './payment-list.tsx'
import { TopUpSection } from './top-ups.tsx'

export function BillingPage() {
  // Where the page that adds a card leads back to.
  const isBack = new URLSearchParams(location.search).get('card') === 'added'
  return (
    <>
      <PageHeader title={t('Billing')} sentence={t('One credit pays for one kit of its panel.')} />
      <Stack gap="lg">
        {isBack && <Alert role="status">{t('The card was added. It pays for orders from now on.')}</Alert>}
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Credits />
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Cards />
          </Grid.Col>
        </Grid>
        <TopUpSection />
        <PaymentList />
        <Ledger />
      </Stack>
    </>
  )
}

function Credits() {
  const credits = useRead('/api/v1/credits')
  const { write } = usePermissions()
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
              <Table.Td ta="right">{(left ?? 0).toLocaleString(locale())}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </WideTable>
      {write && <BuyCredits />}
    </Sheet>
  )
}
