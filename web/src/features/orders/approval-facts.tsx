import type { Order } from '../../api/shapes.ts'
import { Facts } from '../../components/facts.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

const states: Record<NonNullable<Order['approval']>['status'], string> = {
  waiting: t('A provider looks at it first. Nothing was paid.'),
  approved: t('Approved'),
  refused: t('Refused'),
}

/** Who approved or refused an order, for the business and the operator; nothing where nobody has to. */
export function ApprovalFacts({ approval }: Pick<Order, 'approval'>) {
  if (!approval) return null
  return (
    <Facts
      title={t('Approval of a provider')}
      facts={[
        [t('Status'), states[approval.status]],
        [t('Provider'), approval.provider],
        [t('NPI'), approval.npi],
        [t('Day'), approval.date && <RelativeDate key="approved" value={approval.date} />],
        [t('Reason'), approval.reason],
      ]}
    />
  )
}
