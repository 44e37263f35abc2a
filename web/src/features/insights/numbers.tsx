import { Paper, SimpleGrid, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Overview } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import css from './overview.module.css'

/** The four most important numbers, each with a link to its list. */
export function Numbers({ overview: { orders, kits, days } }: { overview: Overview }) {
  const path = useRealmPath()
  const countOf = (...wanted: string[]) =>
    kits.filter(({ stage }) => wanted.includes(stage)).reduce((sum, { count }) => sum + count, 0)
  const reports = days.reduce((sum, day) => sum + (day.reports ?? 0), 0)
  const numbers = [
    { label: 'Orders in 30 days', value: orders.last30Days, to: path('orders') },
    { label: 'Kits with people', value: countOf('kitInTransit', 'kitDelivered', 'kitRegistered'), to: path('kits') },
    {
      label: 'Samples on the way or in the laboratory',
      value: countOf('sampleInTransit', 'sampleReceived'),
      to: path('kits'),
    },
    { label: 'Reports in 30 days', value: reports, to: path('reports') },
  ]
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="lg">
      {numbers.map(({ label, value, to }) => (
        <Paper key={label} withBorder p="md" component={Link} to={to} className={css.number}>
          <Text fz={28} fw={600} lh={1.2}>
            {value.toLocaleString('en')}
          </Text>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  )
}
