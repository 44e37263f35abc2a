import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { useDisclosure, useFocusReturn } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { WebhookEndpoint } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { endpointHeadline } from '../../components/headlines.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { endpointLabel } from './delivery-labels.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { EndpointForm } from './endpoint-form.tsx'

export function WebhookPage() {
  const { endpointID = '' } = useParams({ strict: false })
  const endpoint = useRead('/api/v1/webhooks/{id}', { params: { path: { id: endpointID } } })
  if (endpoint.error && !endpoint.data)
    return <ErrorAlert error={endpoint.error} retry={() => void endpoint.refetch()} />
  if (!endpoint.data) return <Skeleton height={320} />
  return <EndpointView endpoint={endpoint.data} />
}

function EndpointView({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { write } = usePermissions()
  const word = endpointLabel(endpoint)
  return (
    <>
      <PageHeader
        title={endpointHeadline(endpoint)}
        id={endpoint.url}
        crumbs={[['developers/webhooks', t('Webhooks')]]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={write && <Actions endpoint={endpoint} />}
      />
      <TwoColumns
        left={
          <Section title={t('Deliveries')}>
            <DeliveryLog endpointID={endpoint.id} />
          </Section>
        }
        right={
          <>
            <Facts
              title={t('Endpoint')}
              facts={[
                [t('Events'), endpoint.events === null ? t('All') : endpoint.events.join(', ')],
                [t('Messages contain'), endpoint.payload === 'full' ? t('Full data') : t('IDs only, no personal data')],
                [t('Order'), endpoint.ordering === 'kit' ? t('Kept for each kit') : t('As they happen')],
                [
                  t('Limit'),
                  endpoint.rateLimit === null
                    ? t('None')
                    : t('{messages, plural, one {# message a second} other {# messages a second}}', {
                        messages: endpoint.rateLimit,
                      }),
                ],
                [t('Created'), <RelativeDate key="date" value={endpoint.createdDate} />],
              ]}
            />
            {write && <Again endpoint={endpoint} />}
          </>
        }
      />
    </>
  )
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, enabled } = endpoint
  const params = { path: { id } }
  const path = useRealmPath()
  const navigate = useNavigate()
  const [opened, { open, close }] = useDisclosure()
  // The form goes with the dialog: nothing of it is left that could give the focus back.
  useFocusReturn({ opened })
  const [secret, setSecret] = useState<string>()
  const test = useWrite('post', '/api/v1/webhooks/{id}/test')
  const change = useWrite('patch', '/api/v1/webhooks/{id}')
  const rotate = useWrite('post', '/api/v1/webhooks/{id}/rotate-secret')
  const remove = useWrite('delete', '/api/v1/webhooks/{id}')
  return (
    <>
      <Button
        variant="default"
        loading={test.isPending}
        onClick={() =>
          test.mutate(
            { params },
            {
              onSuccess: () =>
                notifications.show({ message: t('A test event is on its way. See the deliveries below.') }),
              onError: ({ message }) => notifications.show({ color: 'red', title: t('Not sent'), message }),
            },
          )
        }
      >
        {t('Send a test')}
      </Button>
      <Button variant="default" onClick={open} aria-haspopup="dialog">
        {t('Change')}
      </Button>
      <ConfirmButton
        label={t('Rotate the secret')}
        sentence={t(
          'A new signing secret is created and shown once. The old one continues to sign for 24 hours, so that you can switch over.',
        )}
        action={async () => setSecret((await rotate.mutateAsync({ params })).secret)}
      />
      <ConfirmButton
        label={enabled ? t('Switch off') : t('Switch on')}
        sentence={
          enabled
            ? t('No more events are sent to this endpoint. They are kept and can be sent later.')
            : t('New events are sent to this endpoint again.')
        }
        action={() => change.mutateAsync({ params, body: { enabled: !enabled } })}
        done={enabled ? t('The endpoint is off') : t('The endpoint is on')}
      />
      <ConfirmButton
        label={t('Remove')}
        isDangerous
        sentence={t('The endpoint and its delivery log are removed.')}
        action={async () => {
          await remove.mutateAsync({ params })
          await navigate({ to: path('developers', 'webhooks') })
        }}
        done={t('The endpoint was removed')}
      />
      <EndpointForm
        key={String(opened)}
        title={t('Change the endpoint')}
        opened={opened}
        onClose={close}
        endpoint={endpoint}
        save={async (body) => {
          await change.mutateAsync({ params, body })
        }}
      />
      <SecretDialog
        title={t('The new signing secret')}
        sentence={t('Check messages with it from now on.')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}

/** After an outage: sends everything since a given time again. */
function Again({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [since, setSince] = useState('')
  const [failedOnly, setFailedOnly] = useState(true)
  const replay = useWrite('post', '/api/v1/webhooks/{id}/replay')
  return (
    <Facts title={t('Send again')}>
      <TextInput
        type="datetime-local"
        label={t('All events since')}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <Checkbox
        label={t('Only what the server did not take')}
        checked={failedOnly}
        onChange={(event) => setFailedOnly(event.currentTarget.checked)}
      />
      <ConfirmButton
        label={t('Send them again')}
        disabled={since === ''}
        sentence={
          failedOnly
            ? t(
                'Your server receives the events since then that it did not take, each with its original ID. Those that wait for another attempt are sent now.',
              )
            : t('Your server receives all events since then once more, each with its original ID.')
        }
        action={async () => {
          const body = { since: new Date(since).toISOString(), failedOnly }
          const { events } = await replay.mutateAsync({ params: { path: { id: endpoint.id } }, body })
          notifications.show({
            message: t('{events, plural, one {# event is on its way} other {# events are on their way}}', { events }),
          })
        }}
      />
    </Facts>
  )
}
