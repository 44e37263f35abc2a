import { Group, Paper, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { Kit, Order } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import css from '../../components/data-table.module.css'
import { IdText } from '../../components/id-text.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { rich, t } from '../../language/t.ts'
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
  if (order.kits.length === 0) return null
  const records = new Map(kits.data?.map((kit) => [kit.kitID, kit]))
  return (
    <Section title={t('{count, plural, one {Kit} other {# kits}}', { count: order.kits.length })}>
      {order.kits.map((kit) => (
        <KitCard key={kit.kitID} kitID={kit.kitID} kitType={kit.kitType} record={records.get(kit.kitID)} />
      ))}
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
          {record && rich('Last change {date}', { date: <RelativeDate key="date" value={record.lastUpdatedDate} /> })}
        </Text>
        <IdText value={kitID} size="xs" />
      </Group>
    </Paper>
  )
}
