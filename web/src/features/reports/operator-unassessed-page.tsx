import type { components, Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { isOperator, useSession } from '../../app/session.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'
import { UnassessedList } from './unassessed-list.tsx'
import { UnassessedResult } from './unassessed-result.tsx'

type Result = components['schemas']['OperatorWaitingResult']

/** Results of all businesses that could not be assessed. */
export function UnassessedPage() {
  const state = useListState<Query<'/operator/v1/unassessed-results'>>(['state'])
  const results = useRead('/operator/v1/unassessed-results', { params: { query: state.query } }, { keep: true })
  const isAdmin = useSession()
    .memberships.filter(isOperator)
    .some(({ role }) => role === 'operator-admin')
  const biomarkers = useRead('/operator/v1/biomarkers', {}, { enabled: isAdmin }).data ?? []
  const assign = useWrite('post', '/operator/v1/unassessed-results/{resultID}/assign')
  const dismiss = useWrite('post', '/operator/v1/unassessed-results/{resultID}/dismiss')
  const addName = useWrite('post', '/operator/v1/unassessed-results/{resultID}/alias')
  return (
    <>
      <PageHeader
        title={t('Not assessed')}
        sentence={t(
          'Results that were received and could not be assessed, critical ones first. Assign each to the biomarker that it is, or dismiss it with a reason.',
        )}
      />
      <UnassessedList state={state} answer={results}>
        {(result) => {
          const params = { path: { resultID: result.id } }
          return (
            <UnassessedResult
              key={result.id}
              result={result}
              links={<Links result={result} />}
              biomarkers={biomarkers.map(({ id }) => id)}
              actions={{
                assign: (body) => assign.mutateAsync({ params, body }),
                dismiss: (reason) => dismiss.mutateAsync({ params, body: { reason } }),
                addName: isAdmin ? (body) => addName.mutateAsync({ params, body }) : undefined,
              }}
            />
          )
        }}
      </UnassessedList>
    </>
  )
}

// Reviewers see no kits. The operator's page of a person is of live ones.
function Links({ result: { reportID, kitID, customerID, business, mode } }: { result: Result }) {
  const { isAdmin, readsKits } = useOperatorRoles()
  const own = isAdmin ? `/b/${business.id}/${mode}/customers/${customerID}` : undefined
  const person = t('Customer {customerID} of {name}', { customerID, name: business.name })
  return (
    <>
      {reportID && <PageLink to={`/operator/review/${reportID}`}>{t('Report {reportID}', { reportID })}</PageLink>}
      {kitID && (
        <MaybeLink to={readsKits ? `/operator/kits/${kitID}` : undefined}>{t('Kit {kitID}', { kitID })}</MaybeLink>
      )}
      <MaybeLink to={mode === 'live' ? `/operator/businesses/${business.id}/customers/${customerID}` : own}>
        {person}
      </MaybeLink>
    </>
  )
}

function MaybeLink({ to, children }: { to: string | undefined; children: string }) {
  if (!to) return <Text>{children}</Text>
  return <PageLink to={to}>{children}</PageLink>
}
