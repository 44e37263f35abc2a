import type { components, Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { CriticalList } from './critical-list.tsx'
import { CriticalResult } from './critical-result.tsx'
import { durationOf, shareOf } from './figures.tsx'

type OfBusiness = components['schemas']['OperatorCriticalFigures']['businesses'][number]

/** Critical results of all businesses, live. */
export function OperatorCriticalPage() {
  const state = useListState<Query<'/operator/v1/critical-results'>>(['state', 'reportID'])
  const results = useRead('/operator/v1/critical-results', { params: { query: state.query } }, { keep: true })
  const figures = useRead('/operator/v1/critical-results/figures')
  const acknowledge = useWrite('post', '/operator/v1/critical-results/{criticalID}/acknowledge')
  const { readsKits } = useOperatorRoles()
  return (
    <>
      <PageHeader
        title={t('Critical results')}
        sentence={t(
          "Live results of all businesses with which somebody may need help at once. Each business's own contacts are told first.",
        )}
      />
      <CriticalList state={state} answer={results}>
        {(result) => {
          const { id, reportID, kitID, customerID, business } = result
          return (
            <CriticalResult
              key={id}
              result={result}
              links={
                <>
                  {reportID && (
                    <PageLink to={`/operator/review/${reportID}`}>{t('Report {reportID}', { reportID })}</PageLink>
                  )}
                  {kitID &&
                    (readsKits ? (
                      <PageLink to={`/operator/kits/${kitID}`}>{t('Kit {kitID}', { kitID })}</PageLink>
                    ) : (
                      <Text>{t('Kit {kitID}', { kitID })}</Text>
                    ))}
                  <PageLink to={`/operator/businesses/${business.id}/customers/${customerID}`}>
                    {t('Customer {customerID} of {name}', { customerID, name: business.name })}
                  </PageLink>
                </>
              }
              acknowledge={(body) => acknowledge.mutateAsync({ params: { path: { criticalID: id } }, body })}
            />
          )
        }}
      </CriticalList>
      {figures.data && figures.data.businesses.length > 0 && (
        <Section title={t('How long they waited in the last 30 days')}>
          <DataTable
            label={t('How long critical results waited')}
            rows={figures.data.businesses}
            error={figures.error}
            retry={() => void figures.refetch()}
            rowKey={({ business }) => business.id}
            columns={columns}
            empty={{ title: t('None'), text: t('There was no critical result.') }}
          />
        </Section>
      )}
    </>
  )
}

const columns: Column<OfBusiness>[] = [
  { header: t('Business'), cell: ({ business }) => business.name },
  { header: t('Raised'), align: 'right', cell: ({ raised }) => raised },
  { header: t('Open'), align: 'right', cell: ({ open }) => open },
  { header: t('Overdue'), align: 'right', cell: ({ overdue }) => overdue },
  { header: t('Median wait'), align: 'right', cell: ({ medianMinutes }) => durationOf(medianMinutes) },
  { header: t('Longest wait'), align: 'right', cell: ({ longestMinutes }) => durationOf(longestMinutes) },
  { header: t('In time'), align: 'right', cell: ({ shareInTime }) => shareOf(shareInTime) },
]
