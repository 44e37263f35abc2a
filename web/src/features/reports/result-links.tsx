import { Text } from '@mantine/core'
import { useOperatorRoles } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'

interface ResultLinksProps {
  result: {
    customerID: number
    customerName?: string | undefined
    reportID?: string | undefined
    kitID?: string | undefined
    docID?: string | undefined
    /** For the operator. */
    business?: { id: string; name: string }
    mode?: 'live' | 'sandbox'
  }
}

/** The pages of what a result belongs to: its person, report, kit and file. */
export function ResultLinks({ result }: ResultLinksProps) {
  const { customerID, customerName, reportID, kitID, docID, business, mode = 'live' } = result
  const path = useRealmPath()
  const { isAdmin, readsKits } = useOperatorRoles()
  const report = reportID && t('Report {reportID}', { reportID })
  const kit = kitID && t('Kit {kitID}', { kitID })
  if (!business) {
    return (
      <>
        <PageLink to={path('customers', customerID)}>
          {customerName ?? t('Customer {customerID}', { customerID })}
        </PageLink>
        {report && <PageLink to={path('reports', reportID)}>{report}</PageLink>}
        {kit && <PageLink to={path('kits', kitID)}>{kit}</PageLink>}
        {docID && <PageLink to={path('uploads', docID)}>{t('The file')}</PageLink>}
      </>
    )
  }
  // Reviewers see no kits. The operator's page of a person is of live ones.
  const ofSandbox = isAdmin ? `/b/${business.id}/sandbox/customers/${customerID}` : undefined
  return (
    <>
      {report && <PageLink to={path('review', reportID)}>{report}</PageLink>}
      {kit && <MaybeLink to={readsKits ? path('kits', kitID) : undefined}>{kit}</MaybeLink>}
      <MaybeLink to={mode === 'live' ? path('businesses', business.id, 'customers', customerID) : ofSandbox}>
        {t('Customer {customerID} of {name}', { customerID, name: business.name })}
      </MaybeLink>
    </>
  )
}

function MaybeLink({ to, children }: { to: string | undefined; children: string }) {
  return to ? <PageLink to={to}>{children}</PageLink> : <Text>{children}</Text>
}
