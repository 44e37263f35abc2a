import type { paths } from '@kitlane/client'
import {
  Button,
  Checkbox,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { WebhookEndpoint } from '../../api/shapes.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'

export type EndpointBody = NonNullable<paths['/api/v1/webhooks']['post']['requestBody']>['content']['application/json']
type EventType = NonNullable<EndpointBody['events']>[number]

const known: Record<EventType, string> = {
  'kit.updated': 'A kit changes',
  'consent.withdrawn': 'A consent is taken back',
  'order.created': 'An order is placed',
  'order.updated': 'An order gets another address',
  'order.canceled': 'An order is canceled',
  'report.published': 'A report is published',
  'result.withdrawn': 'A result is taken back',
  'result.critical': 'A result is critical',
  'bulk_order.completed': 'A bulk order is done',
  'plan.created': 'A recurring plan is created',
  'plan.order_failed': 'An order of a recurring plan cannot be placed',
  'plan.ended': 'A recurring plan ends',
  'credits.low': 'Credits run low',
  'customer.created': 'A customer is added',
  'customer.updated': 'A customer is corrected',
}

interface EndpointFormProps {
  title: string
  opened: boolean
  onClose: () => void
  endpoint?: WebhookEndpoint
  /** The form shows the error that it throws. */
  save: (body: EndpointBody) => Promise<void>
}

export function EndpointForm({ title, opened, onClose, endpoint, save }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [events, setEvents] = useState<string[]>(endpoint?.events ?? [])
  const [payload, setPayload] = useState<'full' | 'thin'>(endpoint?.payload ?? 'full')
  const [inOrder, setInOrder] = useState(endpoint?.ordering === 'kit')
  const [rateLimit, setRateLimit] = useState<number | string>(endpoint?.rateLimit ?? '')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    try {
      await save({
        url: url.trim(),
        payload,
        events: events.length === 0 ? null : (events as EventType[]),
        ordering: inOrder ? 'kit' : 'none',
        rateLimit: rateLimit === '' ? null : Number(rateLimit),
        ...(description.trim() && { description: description.trim() }),
      })
      onClose()
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered size="lg">
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="sm">
          <TextInput
            label="Address"
            type="url"
            required
            placeholder="https://example.com/hooks/kitlane"
            data-autofocus
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <MultiSelect
            label="Events"
            description="Leave empty for all events"
            data={Object.entries(known).map(([value, label]) => ({ value, label: `${value}: ${label}` }))}
            value={events}
            onChange={setEvents}
          />
          <div>
            <Text size="sm" fw={500} mb={4}>
              Content of a message
            </Text>
            <SegmentedControl
              value={payload}
              onChange={(value) => setPayload(value === 'thin' ? 'thin' : 'full')}
              data={[
                { value: 'full', label: 'Full data' },
                { value: 'thin', label: 'IDs only, no personal data' },
              ]}
            />
          </div>
          <Checkbox
            label="Keep the events of each kit in order"
            description="A message that fails holds back the later ones of its kit until it is delivered, skipped, or has failed for about three days. Other kits go on."
            checked={inOrder}
            onChange={(event) => setInOrder(event.currentTarget.checked)}
          />
          <NumberInput
            label="Messages a second, at most"
            description="Leave empty for no limit"
            min={1}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            w={220}
            value={rateLimit}
            onChange={setRateLimit}
          />
          <TextInput label="Note" value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
          {error !== undefined && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
