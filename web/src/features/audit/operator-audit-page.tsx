import type { Query } from '@kitlane/client'
import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Icon } from '../../components/icon.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/t.ts'
import { AuditList } from './audit-list.tsx'
import { useOperatorNames } from './names.tsx'

const EVERY_MS = 5_000

export function AuditPage() {
  const state = useListState<Query<'/operator/v1/audit'>>(['actor', 'action', 'objectID', 'businessID', 'from', 'to'])
  const audit = useRead('/operator/v1/audit', { params: { query: state.query } }, { keep: true })
  const names = useOperatorNames(audit.data?.data)
  return (
    <>
      <PageHeader title={t('Audit')} sentence={t('Who did what, newest first. Entries cannot be changed.')} />
      <Verified />
      <AuditList state={state} audit={audit} names={names} />
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
