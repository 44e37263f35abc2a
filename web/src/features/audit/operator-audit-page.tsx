import type { Query } from '@kitlane/client'
import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { OperatorAuditEntry } from '../../api/operator-shapes.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { AuditFilters } from './audit-filters.tsx'
import { Entry } from './entry.tsx'
import { useOperatorNames } from './names.ts'

const EVERY_MS = 5_000

// The folders of their pages.
const folders: Readonly<Record<string, string>> = {
  biomarker: 'catalogue',
  business: 'businesses',
  email: 'mail',
  kit: 'kits',
  order: 'orders',
  recall: 'recalls',
  report: 'review',
  upload: 'uploads',
}

// What a sandbox has that the operator sees.
const ofSandbox = ['business', 'email', 'upload']

function hrefOf({ objectType, objectID, business, mode }: OperatorAuditEntry): string | undefined {
  const id = encodeURIComponent(objectID)
  if (mode === 'sandbox' && !ofSandbox.includes(objectType)) return undefined
  if (objectType === 'customer') return business && `/operator/businesses/${business.id}/customers/${id}`
  const folder = folders[objectType]
  return folder && `/operator/${folder}/${id}`
}

export function AuditPage() {
  const state = useListState<Query<'/operator/v1/audit'>>(['actor', 'action', 'objectID', 'businessID', 'from', 'to'])
  const audit = useRead('/operator/v1/audit', { params: { query: state.query } }, { keep: true })
  const names = useOperatorNames(audit.data?.data)
  return (
    <>
      <PageHeader title={t('Audit')} sentence={t('Who did what, newest first. Entries cannot be changed.')} />
      <Verified />
      <AuditFilters state={state} isOperator />
      <DataTable
        label={t('Audit')}
        rows={audit.data?.data}
        error={audit.error}
        retry={() => void audit.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('When'), cell: ({ at }) => <RelativeDate value={at} /> },
          {
            header: t('What was done'),
            cell: (entry) => <Entry entry={entry} names={names} state={state} href={hrefOf(entry)} />,
          },
          {
            header: t('Business'),
            cell: ({ business, mode }) =>
              business ? (mode === 'sandbox' ? t('{name} (sandbox)', { name: business.name }) : business.name) : '–',
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
