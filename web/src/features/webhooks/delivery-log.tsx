import type { Query } from '@kitlane/client'
import { Button, Collapse, Group, Loader, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { WebhookDelivery } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { IdText } from '../../components/id-text.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { Pager } from '../../components/pager.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { rich, t } from '../../language/t.ts'
import { deliveryLabel, deliveryOptions } from './delivery-labels.ts'

const EVERY_MS = 5_000

/** The messages sent to an endpoint, each with its attempts and the server's answers. */
export function DeliveryLog({ endpointID }: { endpointID: string }) {
  const state = useListState<Query<'/api/v1/webhooks/{id}/deliveries'>>(['status'])
  const log = useRead(
    '/api/v1/webhooks/{id}/deliveries',
    { params: { path: { id: endpointID }, query: state.query } },
    { keep: true, every: EVERY_MS },
  )
  if (log.error && !log.data) return <ErrorAlert error={log.error} retry={() => void log.refetch()} />
  return (
    <>
      <ListToolbar state={state} filters={[{ key: 'status', label: t('Status'), options: deliveryOptions }]} />
      {!log.data && <Loader size="sm" />}
      {log.data?.data.length === 0 && (
        <EmptyState
          title={t('Nothing sent yet')}
          text={t('Send a test, or wait for an event that this endpoint subscribes to.')}
        />
      )}
      <Stack gap={6}>
        {log.data?.data.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} />
        ))}
      </Stack>
      <Pager state={state} pagination={log.data?.pagination} />
    </>
  )
}

function Delivery({ delivery }: { delivery: WebhookDelivery }) {
  const { write } = usePermissions()
  const [opened, { toggle }] = useDisclosure()
  const replay = useWrite('post', '/api/v1/webhook-deliveries/{id}/replay')
  const isRetrying = delivery.status === 'pending' && delivery.attempts.length > 0
  const word = isRetrying
    ? { label: t('Failed, will try again'), tone: 'fair' as const }
    : deliveryLabel(delivery.status)
  const skip = useWrite('post', '/api/v1/webhook-deliveries/{id}/skip')
  const again = () =>
    replay.mutate(
      { params: { path: { id: delivery.id } } },
      {
        onSuccess: () => notifications.show({ message: t('The message is being sent again') }),
        onError: ({ message }) => notifications.show({ color: 'red', title: t('Not sent'), message }),
      },
    )
  return (
    <Paper withBorder px="md" py="xs">
      <Group justify="space-between">
        <UnstyledButton onClick={toggle} aria-expanded={opened} flex={1}>
          <Group gap="md">
            <Icon name={opened ? 'down' : 'chevron'} size={14} />
            <StatusDot tone={word.tone}>{word.label}</StatusDot>
            <Text ff="monospace" size="sm">
              {delivery.eventType}
            </Text>
            <Text size="sm" c="dimmed">
              <RelativeDate value={delivery.createdDate} /> ·{' '}
              {t('{attempts, plural, one {# attempt} other {# attempts}}', { attempts: delivery.attempts.length })}
            </Text>
          </Group>
        </UnstyledButton>
        {write && (
          <Group gap="xs">
            {isRetrying && (
              <ConfirmButton
                label={t('Skip')}
                size="compact-xs"
                sentence={t('This message is not tried again. What waits for it is sent.')}
                action={() => skip.mutateAsync({ params: { path: { id: delivery.id } } })}
                done={t('The message was skipped')}
              />
            )}
            <Button size="compact-xs" variant="default" loading={replay.isPending} onClick={again}>
              {t('Send again')}
            </Button>
          </Group>
        )}
      </Group>
      <Collapse expanded={opened} transitionDuration={120} keepMounted={false}>
        <Stack gap={6} mt="xs" pl="lg">
          <Text size="sm" c="dimmed" component="div">
            {rich('Event {id}', { id: <IdText key="id" value={delivery.eventID} /> })}
          </Text>
          {delivery.attempts.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
          <DeliveryPayload id={delivery.id} />
          {delivery.nextAttemptDate && (
            <Text size="sm" c="dimmed">
              {rich('Next attempt {when}', { when: <RelativeDate key="when" value={delivery.nextAttemptDate} /> })}
            </Text>
          )}
        </Stack>
      </Collapse>
    </Paper>
  )
}

function Attempt({ attempt }: { attempt: WebhookDelivery['attempts'][number] }) {
  const { number, date, status, error, ms, answer } = attempt
  const isGood = status !== undefined && status >= 200 && status < 300
  return (
    <div>
      <Text size="sm">
        <StatusDot tone={isGood ? 'good' : 'bad'}>{`${number}. ${status ?? error ?? t('No answer')}`}</StatusDot>{' '}
        <Text component="span" size="sm" c="dimmed">
          {t('{time}, {ms} ms', { time: exactOf(date), ms })}
        </Text>
      </Text>
      {answer && (
        <Text ff="monospace" size="xs" c="dimmed" lineClamp={4}>
          {answer}
        </Text>
      )}
    </div>
  )
}

/** What a delivery sends. It is read once somebody opens it, since it may tell of a person, and reading it is noted. */
function DeliveryPayload({ id }: { id: string }) {
  const delivery = useRead('/api/v1/webhook-deliveries/{id}', { params: { path: { id } } })
  if (delivery.error) return <ErrorAlert error={delivery.error} retry={() => void delivery.refetch()} />
  if (!delivery.data) return <Loader size="xs" />
  const { payload } = delivery.data
  if (!payload) {
    return (
      <Text size="sm" c="dimmed">
        {t('What it sends is not shown: you may not read such events.')}
      </Text>
    )
  }
  return <CopyBlock text={JSON.stringify(payload, null, 2)} label={t('Copy payload')} name={t('payload')} />
}
