import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
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
import { pluralize } from '../../components/pluralize.ts'
import { RelativeDate } from '../../components/relative-date.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
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
        crumbs={[['developers/webhooks', 'Webhooks']]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={write && <Actions endpoint={endpoint} />}
      />
      <TwoColumns
        left={
          <Section title="Deliveries">
            <DeliveryLog endpointID={endpoint.id} />
          </Section>
        }
        right={
          <>
            <Facts
              title="Endpoint"
              facts={[
                ['Events', endpoint.events === null ? 'All' : endpoint.events.join(', ')],
                ['Messages contain', endpoint.payload === 'full' ? 'Full data' : 'IDs only, no personal data'],
                ['Order', endpoint.ordering === 'kit' ? 'Kept for each kit' : 'As they happen'],
                ['Limit', endpoint.rateLimit === null ? 'None' : `${endpoint.rateLimit} messages a second`],
                ['Created', <RelativeDate key="date" value={endpoint.createdDate} />],
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
              onSuccess: () => notifications.show({ message: 'A test event is on its way. See the deliveries below.' }),
              onError: ({ message }) => notifications.show({ color: 'red', title: 'Not sent', message }),
            },
          )
        }
      >
        Send a test
      </Button>
      <Button variant="default" onClick={open}>
        Change
      </Button>
      <ConfirmButton
        label="Rotate the secret"
        sentence="A new signing secret is created and shown once. The old one continues to sign for 24 hours, so that you can switch over."
        action={async () => setSecret((await rotate.mutateAsync({ params })).secret)}
      />
      <ConfirmButton
        label={enabled ? 'Switch off' : 'Switch on'}
        sentence={
          enabled
            ? 'No more events are sent to this endpoint. They are kept and can be sent later.'
            : 'New events are sent to this endpoint again.'
        }
        action={() => change.mutateAsync({ params, body: { enabled: !enabled } })}
        done={enabled ? 'The endpoint is off' : 'The endpoint is on'}
      />
      <ConfirmButton
        label="Remove"
        isDangerous
        sentence="The endpoint and its delivery log are removed."
        action={async () => {
          await remove.mutateAsync({ params })
          await navigate({ to: path('developers', 'webhooks') })
        }}
        done="The endpoint was removed"
      />
      <EndpointForm
        key={String(opened)}
        title="Change the endpoint"
        opened={opened}
        onClose={close}
        endpoint={endpoint}
        save={async (body) => {
          await change.mutateAsync({ params, body })
        }}
      />
      <SecretDialog
        title="The new signing secret"
        sentence="Check messages with it from now on."
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
    <Facts title="Send again">
      <TextInput
        type="datetime-local"
        label="All events since"
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <Checkbox
        label="Only what the server did not take"
        checked={failedOnly}
        onChange={(event) => setFailedOnly(event.currentTarget.checked)}
      />
      <ConfirmButton
        label="Send them again"
        disabled={since === ''}
        sentence={
          failedOnly
            ? 'Your server receives the events since then that it did not take, each with its original ID. Those that wait for another attempt are sent now.'
            : 'Your server receives all events since then once more, each with its original ID.'
        }
        action={async () => {
          const body = { since: new Date(since).toISOString(), failedOnly }
          const { events } = await replay.mutateAsync({ params: { path: { id: endpoint.id } }, body })
          notifications.show({ message: `${pluralize(events, 'event is on its way', 'events are on their way')}` })
        }}
      />
    </Facts>
  )
}
