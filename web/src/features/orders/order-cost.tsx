import { Alert, Skeleton, Stack, Table, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { clientOf } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { useRealmHeader } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { moneyOf } from '../../components/money.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { PaymentHint } from './payment-method.tsx'

type Body = Parameters<typeof quote>[1]
type Quote = Awaited<ReturnType<typeof quote>>

// Longer than the pause between two clicks on a number field's arrows.
const SETTLE_MS = 300

async function quote(realm: string | undefined, body: QuoteBody) {
  const { data } = await clientOf(realm).POST('/api/v1/create-order', {
    params: { query: { dryRun: 'true' } },
    body,
  })
  if (data === undefined || !('kits' in data)) throw new Error('A dry run answers with a price')
  return data
}

export interface QuoteBody {
  kit_types?: { kitType: string; quantity?: number }[]
  recipient?: {
    first_name: string
    last_name: string
    email: string
    address: { street1: string; city: string; country: string }
  }
  paymentMethod?: string
}

/** The price of the request, from a dry run of the service. */
export function useQuote(body: Body) {
  const realm = useRealmHeader()
  const [settled] = useDebouncedValue(JSON.stringify(body), SETTLE_MS)
  const hasKits = (body.kit_types?.length ?? 0) > 0
  return useQuery<Quote, Problem>({
    queryKey: [realm ?? '', 'quote', settled],
    queryFn: () => quote(realm, JSON.parse(settled)),
    enabled: hasKits && (JSON.parse(settled).kit_types?.length ?? 0) > 0,
    placeholderData: (former) => (hasKits ? former : undefined),
  })
}

/** The box beside the form: the price, and the credits that remain. */
export function OrderCost({ quote, payment }: { quote: ReturnType<typeof useQuote>; payment: string }) {
  return (
    <Facts title={t('What it costs')}>
      {quote.error && <ErrorAlert error={quote.error} />}
      {!quote.error && !quote.data && !quote.isFetching && (
        <Text c="dimmed">{t('Choose how many kits of which panel.')}</Text>
      )}
      {!quote.error && !quote.data && quote.isFetching && <Skeleton height={64} />}
      {quote.data && !quote.error && <CostTable quote={quote.data} payment={payment} />}
    </Facts>
  )
}

export function CostTable({ quote, payment }: { quote: Quote; payment: string }) {
  const { nameOf } = usePanels()
  const isByCredits = quote.payment === 'credits' || quote.refusal?.code === 'NOT_ENOUGH_CREDITS'
  return (
    <Stack gap="xs">
      <Table verticalSpacing={4} horizontalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Panel')}</Table.Th>
            <Table.Th ta="right">{t('Kits')}</Table.Th>
            {isByCredits && <Table.Th ta="right">{t('Credits after')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {quote.credits.map(({ type, needed, available }) => (
            <Table.Tr key={type}>
              <Table.Td>{nameOf(type)}</Table.Td>
              <Table.Td ta="right">{needed}</Table.Td>
              {isByCredits && (
                <Table.Td ta="right" c={available < needed ? 'var(--k-bad)' : undefined}>
                  {available < needed
                    ? t('{count, number} missing', { count: needed - available })
                    : available - needed}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {quote.charge && (
        <Text fw={600}>
          {moneyOf(quote.charge.amount, quote.charge.currency)}{' '}
          <Text component="span" c="dimmed" fw={400}>
            {quote.payment === 'card' ? t('by card') : t('to pay later')}
          </Text>
        </Text>
      )}
      {quote.payment === 'credits' && (
        <Text>{t('Paid with {count, plural, one {# credit} other {# credits}}.', { count: quote.kits })}</Text>
      )}
      {quote.payment === 'pending' && payment !== 'later' && (
        <Alert color="orange" variant="light" title={t('The order will wait for payment')}>
          {t('Credits do not cover the order, and no card is charged. No kit is made until it is paid.')}{' '}
          <PaymentHint />
        </Alert>
      )}
      {quote.refusal && (
        <Alert color="orange" variant="light" title={quote.refusal.message}>
          <PaymentHint />
        </Alert>
      )}
    </Stack>
  )
}
