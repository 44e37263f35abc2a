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
import { t } from '../../language/t.ts'

export type EndpointBody = NonNullable<paths['/api/v1/webhooks']['post']['requestBody']>['content']['application/json']
type EventType = NonNullable<EndpointBody['events']>[number]

const known: Record<EventType, string> = {
  'kit.updated': t('A kit changes'),
  'kit.undelivered': t('A box does not reach its recipient'),
  'kit.held': t('A sample is on hold'),
  'kit.recalled': t('A kit is recalled'),
  'lab_order.updated': t('An order to a laboratory changes'),
  'consent.withdrawn': t('A consent is taken back'),
  'data_request.created': t('A person asks for their data'),
  'order.created': t('An order is placed'),
  'order.updated': t('An order gets another address'),
  'order.canceled': t('An order is canceled'),
  'report.published': t('A report is published'),
  'result.withdrawn': t('A result is taken back'),
  'result.critical': t('A result is critical'),
  'bulk_order.completed': t('A bulk order is done'),
  'plan.created': t('A recurring plan is created'),
  'plan.order_failed': t('An order of a recurring plan cannot be placed'),
  'plan.ended': t('A recurring plan ends'),
  'shop.order_failed': t('An order of a shop waits or cannot be placed'),
  'credits.low': t('Credits run low'),
  'credits.topped_up': t('Credits bought'),
  'customer.created': t('A customer is added'),
  'customer.updated': t('A customer is corrected'),
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
            label={t('Address')}
            type="url"
            required
            placeholder="https://example.com/hooks/kitlane"
            data-autofocus
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
          />
          <MultiSelect
            label={t('Events')}
            description={t('Leave empty for all events')}
            data={Object.entries(known).map(([value, label]) => ({ value, label: `${value}: ${label}` }))}
            value={events}
            onChange={setEvents}
          />
          <div>
            <Text size="sm" fw={500} mb={4}>
              {t('Content of a message')}
            </Text>
            <SegmentedControl
              value={payload}
              onChange={(value) => setPayload(value === 'thin' ? 'thin' : 'full')}
              data={[
                { value: 'full', label: t('Full data') },
                { value: 'thin', label: t('IDs only, no personal data') },
              ]}
            />
          </div>
          <Checkbox
            label={t('Keep the events of each kit in order')}
            description={t(
              'A message that fails holds back the later ones of its kit until it is delivered, skipped, or has failed for about three days. Other kits go on.',
            )}
            checked={inOrder}
            onChange={(event) => setInOrder(event.currentTarget.checked)}
          />
          <NumberInput
            label={t('Messages a second, at most')}
            description={t('Leave empty for no limit')}
            min={1}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
            w={220}
            value={rateLimit}
            onChange={setRateLimit}
          />
          <TextInput
            label={t('Note')}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          {error !== undefined && <ErrorAlert error={error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={isBusy}>
              {t('Save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
