import type { Query } from '@kitlane/client'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useApi } from '../../app/realm.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { ResultList } from '../../components/result-list.tsx'
import { ReportTabs } from '../../frame/report-tabs.tsx'
import { t } from '../../language/t.ts'
import { ResultLinks } from '../reports/result-links.tsx'
import { CriticalResult } from './critical-result.tsx'
import { FiguresByBusiness, FiguresRow } from './figures.tsx'

/** Critical results, of a business or of all. */
export function CriticalPage() {
  const api = useApi()
  const isOfBusiness = api === '/api/v1'
  const state = useListState<Query<'/api/v1/critical-results'>>(['state', 'reportID'])
  const results = useRead(`${api}/critical-results`, { params: { query: state.query } }, { keep: true })
  const figures = useRead(`${api}/critical-results/figures`).data
  const acknowledge = useWrite('post', `${api}/critical-results/{criticalID}/acknowledge`)
  return (
    <>
      <PageHeader
        title={t('Critical results')}
        sentence={
          isOfBusiness
            ? t(
                'Somebody may need help at once. The people of the on-call list are notified one after the other, until one acknowledges it with the value read back. Only then can the report be published.',
              )
            : t(
                "Live results of all businesses with which somebody may need help at once. Each business's own contacts are notified first.",
              )
        }
      />
      {isOfBusiness && <ReportTabs />}
      {figures && 'raised' in figures && <FiguresRow figures={figures} />}
      <ResultList
        state={state}
        answer={results}
        states={[
          { value: 'open', label: t('Open') },
          { value: 'all', label: t('All') },
        ]}
        empty={{
          title: t('No critical results'),
          text: t('Results with which somebody may need help at once wait here.'),
        }}
      >
        {(result) => (
          <CriticalResult
            key={result.id}
            result={result}
            links={<ResultLinks result={result} />}
            acknowledge={(body) => acknowledge.mutateAsync({ params: { path: { criticalID: result.id } }, body })}
          />
        )}
      </ResultList>
      {figures && 'businesses' in figures && <FiguresByBusiness businesses={figures.businesses} />}
    </>
  )
}
