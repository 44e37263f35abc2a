import { Group, Paper, Stack, Title } from '@mantine/core'
import type { Overview } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { pluralize } from '../../components/pluralize.ts'
import { StatusDot } from '../../components/status-dot.tsx'
import type { Tone } from '../../components/status-label.ts'

type Item = Overview['attention'][number]

interface Sentence {
  tone: Tone
  say: (count: number) => string
  /** The list where the items are. */
  folder: 'orders' | 'kits' | 'reports' | 'billing'
  /** The filter that shows just these items. */
  filter: Record<string, string>
}

const sentences: Record<Item['kind'], Sentence> = {
  late: {
    tone: 'fair',
    say: (n) => pluralize(n, 'kit takes longer than usual', 'kits take longer than usual'),
    folder: 'kits',
    filter: { attention: 'late' },
  },
  exception: {
    tone: 'bad',
    say: (n) => pluralize(n, 'kit has a problem', 'kits have a problem'),
    folder: 'kits',
    filter: { attention: 'exception' },
  },
  rejected: {
    tone: 'bad',
    say: (n) => pluralize(n, 'sample was rejected', 'samples were rejected'),
    folder: 'kits',
    filter: { attention: 'rejected' },
  },
  pendingPayment: {
    tone: 'fair',
    say: (n) => pluralize(n, 'order is not paid', 'orders are not paid'),
    folder: 'orders',
    filter: { status: 'pending' },
  },
  inReview: {
    tone: 'info',
    say: (n) => pluralize(n, 'report is waiting for review', 'reports are waiting for review'),
    folder: 'reports',
    filter: { status: 'inReview' },
  },
  lowCredits: {
    tone: 'fair',
    say: (n) => pluralize(n, 'panel is low on credits', 'panels are low on credits'),
    folder: 'billing',
    filter: {},
  },
}

/** What needs attention, each item with the page where it can be dealt with. Empty if there is nothing. */
export function Attention({ items }: { items: Item[] }) {
  if (items.length === 0) return null
  return (
    <Paper withBorder p="lg" component="section">
      <Title order={2} mb="sm">
        Needs attention
      </Title>
      <Stack gap={6}>
        {items.map((item) => (
          <Line key={item.kind} item={item} />
        ))}
      </Stack>
    </Paper>
  )
}

function Line({ item: { kind, count, example } }: { item: Item }) {
  const path = useRealmPath()
  const { tone, say, folder, filter } = sentences[kind]
  const isList = example === undefined || count > 1 || folder !== 'kits'
  return (
    <Group justify="space-between">
      <StatusDot tone={tone}>{say(count)}</StatusDot>
      <PageLink to={isList ? path(folder) : path(folder, example)} search={isList ? filter : {}} size="sm">
        {isList ? 'Show' : 'Open'}
      </PageLink>
    </Group>
  )
}
