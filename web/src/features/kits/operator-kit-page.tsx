import { Alert, Button, Skeleton, Text } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { FoundKit } from '../../api/operator-shapes.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { kitHeadline } from '../../components/headlines.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { OperatorHold } from '../holds/operator-hold.tsx'
import { RejectSample, UndoRejection } from '../lab/reject-sample.tsx'
import { OperatorLabOrder } from '../lab-orders/operator-lab-order.tsx'
import { KitLots } from '../recalls/kit-lots.tsx'
import { OperatorKitSample } from './kit-sample.tsx'
import { personOf, standingOf, stepLabel } from './kit-standing.ts'

/** A kit of any business, for the operator's staff: where it is, and what to do with it. */
export function OperatorKitPage() {
  const { kitID = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/fulfilment/kits/{code}', { params: { path: { code: kitID } } })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={320} />
  return <KitView found={found.data} />
}

const stations = {
  pack: ['/operator/pack', t('Pack')],
  sendAgain: ['/operator/came-back', t('Came back')],
  intake: ['/operator/intake', t('Intake')],
} as const

const isToBeTested = ({ registrationDate, sampleStatus, kitStatus }: FoundKit['kit']): boolean =>
  registrationDate !== undefined &&
  kitStatus !== 'canceled' &&
  kitStatus !== 'registrationException' &&
  sampleStatus !== 'rejected' &&
  sampleStatus !== 'resulted'

function KitView({ found }: { found: FoundKit }) {
  const { kit, business, panelName, sentence, expected, recipient, accession, others, box, hold } = found
  const { isAdmin, isReviewer, isLaboratory, isPacker } = useOperatorRoles()
  const word = standingOf(kit)
  const [to, label] = expected === 'nothing' ? [] : stations[expected]
  return (
    <>
      <PageHeader
        title={kitHeadline({ recipientName: recipient?.name, email: business.name, panel: panelName })}
        id={kit.kitID}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        sentence={business.name}
        actions={
          <>
            {isAdmin && (
              <Button component={Link} to={`/b/${business.id}/live/kits/${kit.kitID}`} variant="default">
                {t("Open it in the business's dashboard")}
              </Button>
            )}
            {isLaboratory && (
              <OperatorLabOrder kitID={kit.kitID} kitType={kit.kitType} canBeOrdered={isToBeTested(kit)} />
            )}
            {isLaboratory && kit.allowed.includes('sampleRejected') && kit.sampleStatus !== 'awaitingCollection' && (
              <RejectSample kitID={kit.kitID} />
            )}
            {isLaboratory && kit.sampleStatus === 'rejected' && <UndoRejection kitID={kit.kitID} />}
            {to && (
              <Button component={Link} to={to}>
                {label}
              </Button>
            )}
          </>
        }
      />
      <TwoColumns
        left={
          <>
            <Alert variant="light">{sentence}</Alert>
            {hold && <OperatorHold hold={hold} isLaboratory={isLaboratory} />}
            <Facts
              title={t('What happened')}
              facts={kit.progress.map(({ type, date }) => [
                stepLabel(type, { report: date ? kit.status : undefined, person: personOf(kit) }).label,
                date ? dayOf(date) : undefined,
              ])}
            />
          </>
        }
        right={
          <>
            {(isPacker || isLaboratory) && <KitLots kitID={kit.kitID} />}
            {isLaboratory && kit.registrationDate && <OperatorKitSample kitID={kit.kitID} />}
            <Facts
              title={t('Order')}
              facts={[
                [
                  t('Order'),
                  <PageLink key="order" to={`/operator/orders/${kit.orderID}`} ff="monospace">
                    {kit.orderID}
                  </PageLink>,
                ],
                [t('Laboratory’s number'), accession],
                [t('Box'), box && <PageLink to={`/operator/stock/${box.serial}`}>{box.serial}</PageLink>],
                [t('Register by'), box && dayOf(box.registerBy)],
                [t('In the same parcel'), others.join(', ')],
                [t('To the person'), kit.shipment?.toUser?.trackingNumber],
                [t('Back to the laboratory'), kit.shipment?.toLab?.trackingNumber],
              ]}
            />
            {isReviewer && kit.customerID !== undefined && (
              <Facts title={t('Person tested')}>
                <PageLink to={`/operator/businesses/${business.id}/customers/${kit.customerID}`}>
                  {kit.registeredToEmail || t('Customer {customerID}', { customerID: kit.customerID })}
                </PageLink>
              </Facts>
            )}
            {recipient && (
              <Facts title={t('Recipient')}>
                <Text>{recipient.name}</Text>
                <Text>{[recipient.street1, recipient.street2].filter(Boolean).join(', ')}</Text>
                <Text>{[recipient.city, recipient.state, recipient.zip].filter(Boolean).join(' ')}</Text>
              </Facts>
            )}
          </>
        }
      />
    </>
  )
}
