import type { Query } from '@kitlane/client'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { ReportTabs } from '../../frame/report-tabs.tsx'
import { t } from '../../language/t.ts'
import { CriticalList } from './critical-list.tsx'
import { CriticalResult } from './critical-result.tsx'
import { FiguresRow } from './figures.tsx'

/** Critical results of the business's customers. */
export function CriticalPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/critical-results'>>(['state', 'reportID'])
  const results = useRead('/api/v1/critical-results', { params: { query: state.query } }, { keep: true })
  const figures = useRead('/api/v1/critical-results/figures')
  const acknowledge = useWrite('post', '/api/v1/critical-results/{criticalID}/acknowledge')
  return (
    <>
      <PageHeader
        title={t('Critical results')}
        sentence={t(
          'Somebody may need help at once. The people of the on-call list are told one after the other, until one acknowledges it with the value read back. Only then can the report be published.',
        )}
      />
      <ReportTabs />
      {figures.data && <FiguresRow figures={figures.data} />}
      <CriticalList state={state} answer={results}>
        {(result) => {
          const { id, reportID, kitID, customerID, customerName } = result
          const links = [
            ['customers', String(customerID), customerName ?? t('Customer {customerID}', { customerID })],
            reportID && ['reports', reportID, t('Report {reportID}', { reportID })],
            kitID && ['kits', kitID, t('Kit {kitID}', { kitID })],
          ].filter((link) => Array.isArray(link))
          return (
            <CriticalResult
              key={id}
              result={result}
              links={links.map(([folder = '', to = '', label]) => (
                <PageLink key={folder} to={path(folder, to)}>
                  {label}
                </PageLink>
              ))}
              acknowledge={(body) => acknowledge.mutateAsync({ params: { path: { criticalID: id } }, body })}
            />
          )
        }}
      </CriticalList>
    </>
  )
}
