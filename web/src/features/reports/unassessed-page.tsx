import type { Query } from '@kitlane/client'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { ReportTabs } from '../../frame/report-tabs.tsx'
import { t } from '../../language/t.ts'
import { UnassessedList } from './unassessed-list.tsx'
import { UnassessedResult } from './unassessed-result.tsx'

/** Results of the business's customers that could not be assessed. */
export function UnassessedPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/unassessed-results'>>(['state'])
  const results = useRead('/api/v1/unassessed-results', { params: { query: state.query } }, { keep: true })
  const biomarkers = useRead('/api/v1/biomarkers').data ?? []
  const assign = useWrite('post', '/api/v1/unassessed-results/{resultID}/assign')
  const dismiss = useWrite('post', '/api/v1/unassessed-results/{resultID}/dismiss')
  return (
    <>
      <PageHeader
        title={t('Not assessed')}
        sentence={t(
          'Results that were received and could not be assessed, critical ones first. Assign each to the biomarker that it is, or dismiss it with a reason.',
        )}
      />
      <ReportTabs />
      <UnassessedList state={state} answer={results}>
        {(result) => {
          const { id, reportID, kitID, docID, customerID, customerName } = result
          const links = [
            ['customers', String(customerID), customerName ?? t('Customer {customerID}', { customerID })],
            reportID && ['reports', reportID, t('Report {reportID}', { reportID })],
            kitID && ['kits', kitID, t('Kit {kitID}', { kitID })],
            docID && ['uploads', docID, t('The file')],
          ].filter((link) => Array.isArray(link))
          return (
            <UnassessedResult
              key={id}
              result={result}
              links={links.map(([folder = '', to = '', label]) => (
                <PageLink key={folder} to={path(folder, to)}>
                  {label}
                </PageLink>
              ))}
              biomarkers={biomarkers.map((one) => one.id)}
              actions={{
                assign: (body) => assign.mutateAsync({ params: { path: { resultID: id } }, body }),
                dismiss: (reason) => dismiss.mutateAsync({ params: { path: { resultID: id } }, body: { reason } }),
              }}
            />
          )
        }}
      </UnassessedList>
    </>
  )
}
