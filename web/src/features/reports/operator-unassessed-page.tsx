import type { components, Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { isOperator, useSession } from '../../app/session.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { UnassessedList } from './unassessed-list.tsx'
import { UnassessedResult } from './unassessed-result.tsx'

type Result = components['schemas']['OperatorWaitingResult']

/** Results of all businesses that could not be assessed. */
export function UnassessedPage() {
  const state = useListState<Query<'/operator/v1/unassessed-results'>>(['state'])
  const results = useRead('/operator/v1/unassessed-results', { params: { query: state.query } }, { keep: true })
  const close = useWrite('post', '/operator/v1/unassessed-results/{resultID}/close')
  return (
    <>
      <PageHeader
        title="Not assessed"
        sentence="Results that were received and could not be assessed, critical ones first. Check each, make sure that the right person knows, and note what was done."
      />
      <UnassessedList state={state} answer={results}>
        {(result) => (
          <UnassessedResult
            key={result.id}
            result={result}
            links={<Links result={result} />}
            close={(note) => close.mutateAsync({ params: { path: { resultID: result.id } }, body: { note } })}
          />
        )}
      </UnassessedList>
    </>
  )
}

// Reviewers see reports only; the laboratory and the warehouse see kits, administrators see customers.
function Links({ result: { reportID, kitID, customerID, business, mode } }: { result: Result }) {
  const { memberships } = useSession()
  const roles = memberships.filter(isOperator).map(({ role }) => role)
  const isAdmin = roles.includes('operator-admin')
  const readsKits = roles.some((role) => role !== 'reviewer')
  const person = `Customer ${customerID} of ${business.name}`
  return (
    <>
      {reportID && <PageLink to={`/operator/review/${reportID}`}>Report {reportID}</PageLink>}
      {kitID && <MaybeLink to={readsKits ? `/operator/kits/${kitID}` : undefined}>{`Kit ${kitID}`}</MaybeLink>}
      <MaybeLink to={isAdmin ? `/b/${business.id}/${mode}/customers/${customerID}` : undefined}>{person}</MaybeLink>
    </>
  )
}

function MaybeLink({ to, children }: { to: string | undefined; children: string }) {
  if (!to) return <Text>{children}</Text>
  return <PageLink to={to}>{children}</PageLink>
}
