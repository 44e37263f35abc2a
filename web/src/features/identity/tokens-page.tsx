import { Anchor, Button, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Token } from '../../api/shapes.ts'
import { useRealm } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { DeveloperTabs } from '../../frame/developer-tabs.tsx'
import { rich, t } from '../../language/t.ts'
import { NewToken } from './new-token.tsx'
import { scopes } from './scopes.ts'
import { TokenActions } from './token-actions.tsx'

export function TokensPage() {
  const { mode } = useRealm()
  const [opened, { open, close }] = useDisclosure()
  const [secret, setSecret] = useState<string>()
  const tokens = useRead('/api/v1/tokens')
  const create = (
    <Button onClick={open} aria-haspopup="dialog">
      {t('New token')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Developers')}
        sentence={
          <>
            {mode === 'live' ? t('Tokens for live mode.') : t('Tokens for the sandbox.')}{' '}
            {rich('Every route is described in the <link>reference</link>.', {
              link: (words) => (
                <Anchor href="/docs" target="_blank" rel="noopener" underline="always">
                  {words}
                </Anchor>
              ),
            })}
          </>
        }
        actions={create}
      />
      <DeveloperTabs />
      <DataTable
        label={t('Tokens')}
        rows={tokens.data}
        error={tokens.error}
        retry={() => void tokens.refetch()}
        rowKey={({ id }) => id}
        columns={columnsWith(setSecret)}
        empty={{
          title: t('No tokens yet'),
          text: t(
            'A program that calls the API sends a token. Give each program its own, so that you can revoke one alone.',
          ),
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
        title={t('Your new token')}
        sentence={t('Send it with each request, in the header Authorization: Token …')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}

// Time enough to change a token over before it ends.
const SOON_MS = 30 * 24 * 3600_000

const columnsWith = (onRotated: (token: string) => void): Column<Token>[] => [
  { header: t('Name'), cell: ({ name }) => name },
  {
    header: t('Token'),
    cell: ({ hint }) => (
      <Text ff="monospace" size="sm">
        …{hint}
      </Text>
    ),
  },
  {
    header: t('Scopes'),
    cell: ({ scopes: held }) =>
      held.length === scopes.length ? (
        t('Everything')
      ) : (
        <Tooltip label={held.join(', ')} multiline w={320}>
          <Text component="span" size="sm" tabIndex={0}>
            {held.length > 3 ? t('{held} of {all} scopes', { held: held.length, all: scopes.length }) : held.join(', ')}
          </Text>
        </Tooltip>
      ),
    isMinor: true,
  },
  {
    header: t('Last use'),
    cell: ({ lastUsedDate }) => (lastUsedDate ? <RelativeDate value={lastUsedDate} /> : t('Not yet')),
  },
  { header: t('From'), cell: ({ addresses }) => <From addresses={addresses} />, isMinor: true },
  { header: t('Expires'), cell: (token) => <Expires token={token} /> },
  {
    header: t('Actions'),
    hasButtons: true,
    cell: (token) => <TokenActions token={token} onRotated={onRotated} />,
    align: 'right',
  },
]

function From({ addresses }: { addresses: string[] | undefined }) {
  if (!addresses) return <>{t('Anywhere')}</>
  return (
    <Tooltip label={addresses.join(', ')} multiline w={320}>
      <Text component="span" size="sm" tabIndex={0}>
        {addresses.length > 1 ? t('{count} addresses', { count: addresses.length }) : addresses[0]}
      </Text>
    </Tooltip>
  )
}

function Expires({ token: { expiresDate, revokedDate, replacedBy } }: { token: Token }) {
  if (!expiresDate) return <>{t('Never')}</>
  const leftMs = Date.parse(expiresDate) - Date.now()
  if (revokedDate) return <>{dayOf(expiresDate)}</>
  if (leftMs <= 0) return <StatusDot tone="idle">{replacedBy ? t('Replaced') : t('Expired')}</StatusDot>
  if (leftMs > SOON_MS) return <>{dayOf(expiresDate)}</>
  return (
    <>
      <StatusDot tone="fair">{replacedBy ? t('Replaced') : t('Expires soon')}</StatusDot>
      <Text size="xs" c="dimmed">
        {rich('Ends {when}', { when: <RelativeDate value={expiresDate} /> })}
      </Text>
    </>
  )
}
