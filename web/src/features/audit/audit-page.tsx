import type { Query } from '@kitlane/client'
import { useRead } from '../../api/hooks.ts'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { SettingsTabs } from '../../frame/settings-tabs.tsx'
import { t } from '../../language/t.ts'
import { AuditList } from './audit-list.tsx'
import { useNames } from './names.tsx'

export function AuditPage() {
  const state = useListState<Query<'/api/v1/audit'>>(['objectID', 'action', 'actor', 'from', 'to'])
  const audit = useRead('/api/v1/audit', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title={t('Settings')} sentence={t('Who did what, newest first. Entries cannot be changed.')} />
      <SettingsTabs />
      <AuditList state={state} audit={audit} names={useNames()} />
    </>
  )
}
