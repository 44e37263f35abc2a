import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Kit, Order } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import css from '../../components/data-table.module.css'
import { Empty } from '../../components/empty.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { StageDots } from '../kits/stage-dots.tsx'
import { usePanels } from '../use-panels.ts'
import { standingOf } from '../words.ts'

/** The kits of an order, each with how far it is. */
export function OrderKits({ order }: { order: Order }) {
  const kits = useRead(
    '/api/v1/kits',
    { params: { query: { orderID: order.orderID, size: 250 } } },
    { enabled: order.kits.length > 0 },
  )
  if (order.kits.length === 0) {
    return (
      <Empty
        title="No kits yet"
        text={
          order.status === 'pending'
            ? 'They are made when the order is paid.'
            : 'This order was canceled before kits were made.'
        }
      />
    )
  }
  const records = new Map(kits.data?.map((kit) => [kit.kitID, kit]))
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{order.kits.length === 1 ? 'Kit' : `${order.kits.length} kits`}</Title>
      {order.kits.map((kit) => (
        <KitCard key={kit.kitID} kitID={kit.kitID} kitType={kit.kitType} record={records.get(kit.kitID)} />
      ))}
    </Stack>
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
            <Text component="span" ff="monospace">
              {kitID}
            </Text>
          </Link>
          <Text c="dimmed">{nameOf(kitType)}</Text>
        </Group>
        {word && <StatusDot tone={word.tone}>{word.label}</StatusDot>}
      </Group>
      <StageDots kit={record} />
      {record && (
        <Text size="xs" c="dimmed" mt="xs">
          Last change <RelativeDate value={record.lastUpdatedDate} />
        </Text>
      )}
    </Paper>
  )
}
