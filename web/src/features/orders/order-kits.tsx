import { Group, Paper, Table, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Kit, Order } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import css from '../../components/data-table.module.css'
import { IdText } from '../../components/id-text.tsx'
import { moneyOf } from '../../components/money.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { WideTable } from '../../components/wide-table.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { standingOf } from '../kits/kit-standing.ts'
import { StageDots } from '../kits/stage-dots.tsx'

/** The kits of an order, each with its progress. */
export function OrderKits({ order }: { order: Order }) {
  const kits = useRead(
    '/api/v1/kits',
    { params: { query: { orderID: order.orderID, size: 250 } } },
    { enabled: order.kits.length > 0 },
  )
  if (order.kits.length === 0) return <Ordered order={order} />
  const records = new Map(kits.data?.map((kit) => [kit.kitID, kit]))
  return (
    <Section title={order.kits.length === 1 ? t('Kit') : t('{length} kits', { length: order.kits.length })}>
      {order.kits.map((kit) => (
        <KitCard key={kit.kitID} kitID={kit.kitID} kitType={kit.kitType} record={records.get(kit.kitID)} />
      ))}
    </Section>
  )
}

/** What was ordered, while there are no kits yet. */
function Ordered({ order }: { order: Order }) {
  const { nameOf } = usePanels()
  const { amount, currency } = order.payment
  return (
    <Section title={t('Ordered')}>
      <div>
        <WideTable label={t('Ordered')} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Panel')}</Table.Th>
              <Table.Th ta="right">{t('Kits')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {order.items.map(({ kitType, quantity }) => (
              <Table.Tr key={kitType}>
                <Table.Td>{nameOf(kitType)}</Table.Td>
                <Table.Td ta="right">{quantity.toLocaleString('en')}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </WideTable>
        {order.status === 'pending' && amount !== undefined && currency && (
          <Text mt="xs" fw={600}>
            {moneyOf(amount, currency)}{' '}
            <Text component="span" c="dimmed" fw={400}>
              {t('by card, or {count, plural, one {# credit} other {# credits}}', { count: order.quantity })}
            </Text>
          </Text>
        )}
        <Text mt="xs" c="dimmed">
          {order.status === 'pending'
            ? t('The kits are made when the order is paid.')
            : t('This order was canceled before kits were made.')}
        </Text>
      </div>
    </Section>
  )
}

function KitCard({ kitID, kitType, record }: { kitID: string; kitType: string; record: Kit | undefined }) {
  const path = useRealmPath()
  const { nameOf } = usePanels()
  const word = record && standingOf(record)
  return (
    <Paper withBorder p="md">
      <Group justify="space-between" mb="xs">
        <Group gap="sm">
          <Link to={path('kits', kitID)} className={css.link}>
            {nameOf(kitType)}
          </Link>
          {record?.registeredToEmail && <Text c="dimmed">{record.registeredToEmail}</Text>}
        </Group>
        {word && <StatusDot tone={word.tone}>{word.label}</StatusDot>}
      </Group>
      <StageDots kit={record} />
      <Group justify="space-between" mt="xs">
        <Text size="xs" c="dimmed">
          {record && (
            <>
              Last change <RelativeDate value={record.lastUpdatedDate} />
            </>
          )}
        </Text>
        <IdText value={kitID} size="xs" />
      </Group>
    </Paper>
  )
}
