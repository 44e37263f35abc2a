import type { components, Query } from '@kitlane/client'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { useApi } from '../../app/realm.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { ResultList } from '../../components/result-list.tsx'
import { ReportTabs } from '../../frame/report-tabs.tsx'
import { t } from '../../language/t.ts'
import { ResultLinks } from './result-links.tsx'
import { UnassessedResult } from './unassessed-result.tsx'

type Schemas = components['schemas']
type Result = Schemas['WaitingResult'] | Schemas['OperatorWaitingResult']

/** Results that could not be assessed, of a business or of all. */
export function UnassessedPage() {
  const api = useApi()
  const isOfBusiness = api === '/api/v1'
  const { isAdmin } = useOperatorRoles()
  const namesBiomarkers = !isOfBusiness && isAdmin
  const state = useListState<Query<'/api/v1/unassessed-results'>>(['state'])
  const results = useRead(`${api}/unassessed-results`, { params: { query: state.query } }, { keep: true })
  const biomarkers = useRead(`${api}/biomarkers`, {}, { enabled: isOfBusiness || isAdmin }).data ?? []
  const assign = useWrite('post', `${api}/unassessed-results/{resultID}/assign`)
  const dismiss = useWrite('post', `${api}/unassessed-results/{resultID}/dismiss`)
  const addName = useWrite('post', '/operator/v1/unassessed-results/{resultID}/alias')
  return (
    <>
      <PageHeader
        title={t('Not assessed')}
        sentence={t(
          'Results that were received and could not be assessed, critical ones first. Assign each to the biomarker that it is, or dismiss it with a reason.',
        )}
      />
      {isOfBusiness && <ReportTabs />}
      <ResultList<Result>
        state={state}
        answer={results}
        states={[
          { value: 'open', label: t('Open') },
          { value: 'closed', label: t('Closed') },
        ]}
        empty={{
          title: t('Nothing to follow up'),
          text: t('Results that were received and could not be assessed are listed here.'),
        }}
      >
        {(result) => {
          const params = { path: { resultID: result.id } }
          return (
            <UnassessedResult
              key={result.id}
              result={result}
              links={<ResultLinks result={result} />}
              biomarkers={biomarkers.map(({ id }) => id)}
              actions={{
                assign: (body) => assign.mutateAsync({ params, body }),
                dismiss: (body) => dismiss.mutateAsync({ params, body }),
                addName: namesBiomarkers ? (body) => addName.mutateAsync({ params, body }) : undefined,
              }}
            />
          )
        }}
      </ResultList>
    </>
  )
}
