import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { WebhookEndpoint } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { endpointHeadline } from '../../components/headlines.ts'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { t } from '../../language/t.ts'
import { endpointLabel } from './delivery-labels.ts'
import { EndpointForm } from './endpoint-form.tsx'

export function WebhookListPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const [opened, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const endpoints = useRead('/api/v1/webhooks')
  const create = useWrite('post', '/api/v1/webhooks')
  const add = write && (
    <Button onClick={open} aria-haspopup="dialog">
      {t('New endpoint')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Developers')}
        sentence={t('Kitlane sends events to your server as they happen, and retries until it answers.')}
        actions={add}
      />
      <DeveloperTabs />
      <DataTable
        label={t('Endpoints')}
        rows={endpoints.data}
        error={endpoints.error}
        retry={() => void endpoints.refetch()}
        rowKey={({ id }) => id}
        href={({ id }) => path('developers', 'webhooks', id)}
        columns={columns}
        empty={{
          title: t('No endpoints yet'),
          text: t(
            'An endpoint is an HTTPS address of your server. Each message is signed, so that you can verify its sender.',
          ),
          action: add,
        }}
      />
      <EndpointForm
        title={t('New endpoint')}
        opened={opened}
        onClose={close}
        save={async (body) => {
          const made = await create.mutateAsync({ body })
          setSecret(made.secret)
        }}
      />
      <SecretDialog
        title={t('The signing secret')}
        sentence={t('Your server checks the signature of each message with it (Standard Webhooks).')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}

const columns: Column<WebhookEndpoint>[] = [
  { header: t('Endpoint'), cell: endpointHeadline },
  {
    header: t('Status'),
    cell: (endpoint) => <StatusDot tone={endpointLabel(endpoint).tone}>{endpointLabel(endpoint).label}</StatusDot>,
  },
  { header: t('Events'), cell: ({ events }) => (events === null ? t('All') : events.join(', ')), isMinor: true },
  { header: t('Created'), cell: ({ createdDate }) => <RelativeDate value={createdDate} />, isMinor: true },
  { header: t('Address'), cell: ({ url }) => <IdCell id={url} />, isMinor: true },
]
