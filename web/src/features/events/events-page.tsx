import { Button, Code, Collapse, Group, Loader, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { t } from '../../language/t.ts'

const SIZE = 50

/** The feed as a program reads it: oldest first, page by page from a cursor. */
export function EventsPage() {
  const [cursors, setCursors] = useState<string[]>([])
  const after = cursors.at(-1)
  const feed = useRead('/api/v1/events', { params: { query: { after, size: SIZE } } }, { keep: true })
  const last = feed.data?.data.at(-1)?.id
  return (
    <>
      <PageHeader
        title={t('Developers')}
        sentence={t(
          'All events, oldest first. A program that missed webhooks can catch up from the last event that it received.',
        )}
      />
      <DeveloperTabs />
      {feed.error && <ErrorAlert error={feed.error} retry={() => void feed.refetch()} />}
      {feed.isPending && <Loader size="sm" />}
      {feed.data?.data.length === 0 && (
        <EmptyState title={t('No events yet')} text={t('Place an order: the first event is order.created.')} />
      )}
      <Stack gap={6}>
        {feed.data?.data.map((event) => (
          <FeedEvent key={event.id} event={event} />
        ))}
      </Stack>
      <Group mt="sm">
        {cursors.length > 0 && (
          <Button variant="default" onClick={() => setCursors(cursors.slice(0, -1))}>
            {t('Earlier')}
          </Button>
        )}
        {feed.data?.hasMore && last !== undefined && (
          <Button variant="default" onClick={() => setCursors([...cursors, last])}>
            {t('Later')}
          </Button>
        )}
      </Group>
    </>
  )
}

function FeedEvent({ event }: { event: { id: string; type: string; timestamp: string; data: unknown } }) {
  const [opened, { toggle }] = useDisclosure()
  return (
    <Paper withBorder px="md" py="xs">
      <UnstyledButton onClick={toggle} aria-expanded={opened} w="100%">
        <Group gap="md">
          <Icon name={opened ? 'down' : 'chevron'} size={14} />
          <Text ff="monospace" size="sm">
            {event.type}
          </Text>
          <Text size="sm" c="dimmed">
            <RelativeDate value={event.timestamp} />
          </Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {event.id}
          </Text>
        </Group>
      </UnstyledButton>
      <Collapse expanded={opened} transitionDuration={120} keepMounted={false}>
        <Code block mt="xs">
          {JSON.stringify(event, null, 2)}
        </Code>
      </Collapse>
    </Paper>
  )
}
