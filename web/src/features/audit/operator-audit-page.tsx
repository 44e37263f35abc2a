import type { Query } from '@kitlane/client'
import { Alert, Anchor, Code, Group, Text, TextInput, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { type ListState, useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

// Enough to tell two IDs apart. The tooltip shows the whole ID, and a click filters by it.
const SHOWN = 10

/** `user:usr_LDMhrKReEfadNdUKFqLLm6` as "user usr_LDMhrK…". */
function Reference({ kind, id, onPress }: { kind: string; id: string; onPress: () => void }) {
  if (id === '*') return <>{t('{kind}, a list', { kind })}</>
  if (id === '') return <>{kind}</>
  return (
    <Tooltip label={id}>
      <Anchor component="button" type="button" size="sm" onClick={onPress} style={{ whiteSpace: 'nowrap' }}>
        {kind}{' '}
        <Text span ff="monospace" size="xs">
          {id.length > SHOWN + 2 ? `${id.slice(0, SHOWN)}…` : id}
        </Text>
      </Anchor>
    </Tooltip>
  )
}

/** "user:usr_1" is the user usr_1; "cli" is itself. */
function partsOf(actor: string): { kind: string; id: string } {
  const at = actor.indexOf(':')
  return at < 0 ? { kind: actor, id: '' } : { kind: actor.slice(0, at), id: actor.slice(at + 1) }
}

const EVERY_MS = 5_000

const filterNames = [
  ['actor', t('Actor')],
  ['action', t('Action')],
  ['objectID', 'ID'],
  ['businessID', t('Business ID')],
] as const

export function AuditPage() {
  const state = useListState<Query<'/operator/v1/audit'>>(filterNames.map(([key]) => key))
  const audit = useRead('/operator/v1/audit', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title={t('Audit')} sentence={t('Who did what, newest first. Entries cannot be changed.')} />
      <Verified />
      <Filters key={JSON.stringify(state.filters)} state={state} />
      <DataTable
        label={t('Audit')}
        rows={audit.data?.data}
        error={audit.error}
        retry={() => void audit.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('When'), cell: ({ at }) => <RelativeDate value={at} /> },
          {
            header: t('By'),
            cell: ({ actor: who }) => <Reference {...partsOf(who)} onPress={() => state.filter({ actor: who })} />,
          },
          { header: t('What'), cell: ({ action: name }) => name },
          {
            header: t('Of'),
            cell: ({ objectType, objectID: id }) => (
              <Reference kind={objectType} id={id} onPress={() => state.filter({ objectID: id })} />
            ),
          },
          {
            header: t('Business'),
            cell: ({ business, mode }) =>
              business ? (mode === 'sandbox' ? t('{name} (sandbox)', { name: business.name }) : business.name) : '–',
            isMinor: true,
          },
          {
            header: t('Details'),
            cell: ({ details }) =>
              details ? <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(details)}</Code> : '–',
            isMinor: true,
          },
        ]}
        empty={{ title: t('Nothing found'), text: t('No entry matches all filters.') }}
      />
      <Pager state={state} pagination={audit.data?.pagination} />
    </>
  )
}

function Verified() {
  const [isSealed, setSealed] = useState(false)
  const verification = useRead('/operator/v1/audit/verification', {}, { every: isSealed ? false : EVERY_MS })
  const isNew = verification.data && !verification.data.intact && verification.data.brokenAt === undefined
  if (verification.data && !isNew && !isSealed) setSealed(true)
  if (verification.error && !verification.data)
    return <ErrorAlert error={verification.error} retry={() => void verification.refetch()} />
  if (!verification.data) return null
  const { intact, entries, businesses, brokenAt } = verification.data
  if (isNew) {
    return (
      <Alert color="yellow" mb="md" title={t('Nothing was verified yet')} role="status">
        {t(
          'No entry is sealed yet. New entries are sealed within a minute, and this page shows it by itself. If this message stays, run kitlane verify-audit on the server.',
        )}
      </Alert>
    )
  }
  return intact ? (
    <Text mb="md" c="var(--k-good)" role="status">
      <Icon name="check" size={14} />{' '}
      {t(
        'Intact: {entries, number} entries of {businesses, plural, one {# business was} other {# businesses were}} checked. As far as their seals can tell, nothing was changed or removed; whether the newest ones were removed with their seals, an anchor that you kept elsewhere tells.',
        { entries, businesses },
      )}
    </Text>
  ) : (
    <Alert color="red" mb="md" title={t('The audit was changed')} role="alert">
      {t('The chain of entries is broken at {brokenAt}. Keep the database as it is and find out who wrote to it.', {
        brokenAt: brokenAt ?? '',
      })}
    </Alert>
  )
}

function Filters({ state }: { state: ListState }) {
  return (
    <Group gap="xs" mb="sm" align="end">
      {filterNames.map(([key, label]) => (
        <TextInput
          key={key}
          size="xs"
          label={label}
          defaultValue={state.filters[key] ?? ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter') state.filter({ [key]: event.currentTarget.value.trim() || undefined })
          }}
          onBlur={(event) => {
            const text = event.currentTarget.value.trim()
            if (text !== (state.filters[key] ?? '')) state.filter({ [key]: text || undefined })
          }}
        />
      ))}
    </Group>
  )
}
