import { Table, Text } from '@mantine/core'
import type { Order, Panel } from '../../api/shapes.ts'
import { moneyOf } from '../../components/money.tsx'
import { Section } from '../../components/section.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { locale, t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'

type Item = Order['items'][number]

/** What was ordered and what it cost: by panel, in all, and what was given back. */
export function OrderItems({ order }: { order: Order }) {
  const { nameOf, panels } = usePanels()
  const { amount, currency, method } = order.payment
  const isMoney = method !== 'credits' && amount !== undefined && currency !== undefined
  const each = isMoney ? eachOf(order.items, { amount, currency }, panels ?? []) : undefined
  return (
    <Section title={t('Ordered')}>
      <div>
        <WideTable label={t('Ordered')} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Panel')}</Table.Th>
              <Table.Th ta="right">{t('Kits')}</Table.Th>
              {each && <Table.Th ta="right">{t('Each')}</Table.Th>}
              <Table.Th ta="right">{isMoney ? t('Price') : t('Credits')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {order.items.map((item, index) => (
              <Table.Tr key={item.kitType}>
                <Table.Td>{nameOf(item.kitType)}</Table.Td>
                <Table.Td ta="right">{item.quantity.toLocaleString(locale())}</Table.Td>
                {each && <Table.Td ta="right">{moneyOf(each[index] ?? 0, currency ?? '')}</Table.Td>}
                <Table.Td ta="right">{costOf(item, isMoney ? each?.[index] : undefined, order)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>{t('Total')}</Table.Th>
              <Table.Th ta="right">{order.quantity.toLocaleString(locale())}</Table.Th>
              {each && <Table.Th />}
              <Table.Th ta="right">
                {isMoney ? moneyOf(amount, currency) : order.quantity.toLocaleString(locale())}
              </Table.Th>
            </Table.Tr>
          </Table.Tfoot>
        </WideTable>
        <Text mt="xs" c="dimmed">
          {moneySentence(order)}
        </Text>
      </div>
    </Section>
  )
}

/** What one kit of each line cost, where that is certain: one line, or prices of today that make up the whole amount. */
function eachOf(
  items: readonly Item[],
  { amount, currency }: { amount: number; currency: string },
  panels: readonly Panel[],
): number[] | undefined {
  const [first] = items
  if (first && items.length === 1 && amount % first.quantity === 0) return [amount / first.quantity]
  const prices = items.map(({ kitType }) => {
    const price = panels.find((panel) => panel.kitType === kitType)?.price
    return price?.currency === currency ? price.amount : undefined
  })
  const sum = items.reduce((total, { quantity }, index) => total + quantity * (prices[index] ?? Number.NaN), 0)
  return sum === amount ? prices.map((price) => price ?? 0) : undefined
}

function costOf({ quantity }: Item, each: number | undefined, { payment }: Order): string {
  if (payment.method === 'credits') return quantity.toLocaleString(locale())
  if (payment.currency === undefined) return '–'
  return each === undefined ? '–' : moneyOf(each * quantity, payment.currency)
}

/** What became of the money, in a sentence. */
function moneySentence({ payment, quantity, kits, status }: Order): string {
  const { method, amount, refundedAmount, currency } = payment
  const sum = amount !== undefined && currency ? moneyOf(amount, currency) : undefined
  switch (payment.status) {
    case 'refunded':
      return method === 'credits' || !sum
        ? t('Canceled: {count, plural, one {# credit was} other {# credits were}} given back.', { count: quantity })
        : status === 'canceled'
          ? t('Canceled: {sum} is refunded to the card.', { sum })
          : t('{sum} was refunded at the payment provider. The kits are sent unless the order is canceled.', { sum })
    case 'canceled':
      return t('Canceled before it was paid: nothing was charged.')
    case 'pending':
      return sum
        ? t(
            'Not paid: {sum} by card, or {count, plural, one {# credit} other {# credits}}. The kits are made when it is paid.',
            {
              sum,
              count: quantity,
            },
          )
        : t('The kits are made when the order is paid.')
    default:
      if (method === 'none') return t('Taken over from another vendor: nothing was charged here.')
      if (status === 'created' && kits.length > quantity) return t('Paid. Replacements cost nothing.')
      return method === 'credits' || !sum
        ? t('Paid with {count, plural, one {# credit} other {# credits}}, one for each kit.', { count: quantity })
        : refundedAmount && currency
          ? t('Paid by card: {sum}. Of it, {back} was refunded at the payment provider.', {
              sum,
              back: moneyOf(refundedAmount, currency),
            })
          : t('Paid by card: {sum}.', { sum })
  }
}
