import { Anchor, Button, Checkbox, Group, Modal, SimpleGrid, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Token } from '../../api/shapes.ts'
import { useRealm } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { type Scope, scopes } from './scopes.ts'

export function TokensPage() {
  const { mode } = useRealm()
  const [opened, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const tokens = useRead('/api/v1/tokens')
  const create = <Button onClick={open}>New token</Button>
  return (
    <>
      <PageHeader
        title="Developers"
        sentence={
          <>
            Tokens for {mode === 'live' ? 'live mode' : 'the sandbox'}. Every route is described in the{' '}
            <Anchor href="/docs" target="_blank" rel="noopener" underline="always">
              reference
            </Anchor>
            .
          </>
        }
        actions={create}
      />
      <DeveloperTabs />
      <DataTable
        label="Tokens"
        rows={tokens.data}
        error={tokens.error}
        retry={() => void tokens.refetch()}
        rowKey={({ id }) => id}
        columns={columns}
        empty={{
          title: 'No tokens yet',
          text: 'A program that calls the API sends a token. Give each program its own, so that you can revoke one alone.',
          action: create,
        }}
      />
      <NewToken
        opened={opened}
        onClose={close}
        onMade={(token) => {
          close()
          setSecret(token)
        }}
      />
      <SecretDialog
        title="Your new token"
        sentence="Send it with each request, in the header Authorization: Token …"
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}

const columns: Column<Token>[] = [
  { header: 'Name', cell: ({ name }) => name },
  {
    header: 'Token',
    cell: ({ hint }) => (
      <Text ff="monospace" size="sm">
        …{hint}
      </Text>
    ),
  },
  {
    header: 'Scopes',
    cell: ({ scopes: held }) =>
      held.length === scopes.length ? (
        'Everything'
      ) : (
        <Tooltip label={held.join(', ')} multiline w={320}>
          <Text component="span" size="sm" tabIndex={0}>
            {held.length > 3 ? `${held.length} of ${scopes.length} scopes` : held.join(', ')}
          </Text>
        </Tooltip>
      ),
    isMinor: true,
  },
  { header: 'Created', cell: ({ createdDate }) => <RelativeDate value={createdDate} />, isMinor: true },
  { header: 'Expires', cell: ({ expiresDate }) => (expiresDate ? dayOf(expiresDate) : 'Never'), isMinor: true },
  { header: 'Actions', cell: (token) => <Revoke token={token} />, align: 'right' },
]

function Revoke({ token }: { token: Token }) {
  const revoke = useWrite('delete', '/api/v1/tokens/{tokenID}')
  if (token.revokedDate) return <StatusDot tone="idle">Revoked</StatusDot>
  return (
    <ConfirmButton
      label="Revoke"
      size="xs"
      isDangerous
      sentence={`Programs that use ${token.name} are refused from now on. This cannot be undone.`}
      action={() => revoke.mutateAsync({ params: { path: { tokenID: token.id } } })}
      done="The token was revoked"
    />
  )
}

interface NewTokenProps {
  opened: boolean
  onClose: () => void
  onMade: (token: string) => void
}

function NewToken({ opened, onClose, onMade }: NewTokenProps) {
  const [name, setName] = useState('')
  const [expiresDate, setExpiresDate] = useState('')
  const [chosen, setChosen] = useState<string[]>([...scopes])
  const create = useWrite('post', '/api/v1/tokens')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(
      { body: { name: name.trim(), scopes: chosen as Scope[], ...(expiresDate && { expiresDate }) } },
      {
        onSuccess: ({ token }) => {
          setName('')
          onMade(token)
        },
      },
    )
  }
  return (
    <Modal opened={opened} onClose={onClose} title="New token" centered size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="The program that will use it"
            required
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox.Group label="Scopes" value={chosen} onChange={setChosen}>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={6} mt={6}>
              {scopes.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} size="xs" />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <TextInput
            label="Expires on"
            description="Leave empty if it never expires"
            type="date"
            w={220}
            value={expiresDate}
            onChange={(event) => setExpiresDate(event.currentTarget.value)}
          />
          {create.error && <ErrorAlert error={create.error} />}
          <Group justify="flex-end">
            <Button type="submit" loading={create.isPending} disabled={chosen.length === 0}>
              Create the token
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
