import type { Query } from '@kitlane/client'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { ReportTabs } from './report-tabs.tsx'
import { UnassessedList } from './unassessed-list.tsx'
import { UnassessedResult } from './unassessed-result.tsx'

/** Results of the business's customers that could not be assessed. */
export function UnassessedPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/unassessed-results'>>(['state'])
  const results = useRead('/api/v1/unassessed-results', { params: { query: state.query } }, { keep: true })
  const close = useWrite('post', '/api/v1/unassessed-results/{resultID}/close')
  return (
    <>
      <PageHeader
        title="Not assessed"
        sentence="Results that were received and could not be assessed, critical ones first. Make sure that the right person knows, and note what was done."
      />
      <ReportTabs />
      <UnassessedList state={state} answer={results}>
        {(result) => {
          const { id, reportID, kitID, docID, customerID } = result
          const links = [
            reportID && ['reports', reportID, `Report ${reportID}`],
            kitID && ['kits', kitID, `Kit ${kitID}`],
            docID && ['uploads', docID, 'The file'],
            ['customers', String(customerID), `Customer ${customerID}`],
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
              close={(note) => close.mutateAsync({ params: { path: { resultID: id } }, body: { note } })}
            />
          )
        }}
      </UnassessedList>
    </>
  )
}
