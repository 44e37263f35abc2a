import { Alert, Skeleton, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { KitDetail, Order } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { kitHeadline, orderHeadline } from '../../components/headlines.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { RawJson } from '../../components/raw-json.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { rich, t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { BusinessHold } from '../holds/business-hold.tsx'
import { BusinessLabOrder } from '../lab-orders/business-lab-order.tsx'
import { BusinessRecall } from '../recalls/business-recall.tsx'
import { KitBox } from '../undelivered/kit-box.tsx'
import { KitActions } from './kit-actions.tsx'
import { KitFacts } from './kit-facts.tsx'
import { KitReminders } from './kit-reminders.tsx'
import { KitSample } from './kit-sample.tsx'
import { standingOf } from './kit-standing.ts'
import { KitTimeline } from './kit-timeline.tsx'

export function KitPage() {
  const { kitID = '' } = useParams({ strict: false })
  const detail = useRead('/api/v1/kits/{kitID}', { params: { path: { kitID } } })
  const { kit, registration } = detail.data ?? {}
  const isNameless = kit !== undefined && registration?.name === undefined
  // A kit has the name of its recipient from its order. Reading an order writes to the audit: only where it is needed.
  const order = useRead(
    '/api/v1/orders/{id}',
    { params: { path: { id: kit?.orderID ?? '' } } },
    { enabled: isNameless && kit.recipientEmail !== undefined },
  )
  if (detail.error && !detail.data) return <ErrorAlert error={detail.error} retry={() => void detail.refetch()} />
  if (!detail.data || order.isLoading) return <Skeleton height={480} />
  return <KitView detail={detail.data} order={order.data} />
}

function KitView({ detail, order }: { detail: KitDetail; order: Order | undefined }) {
  const path = useRealmPath()
  const { nameOf } = usePanels()
  const { kit, registration } = detail
  const word = standingOf(kit)
  return (
    <>
      <PageHeader
        title={kitHeadline({
          registeredName: registration?.name,
          recipientName: order?.recipientName,
          email: kit.registeredToEmail || kit.recipientEmail,
          panel: nameOf(kit.kitType),
        })}
        id={kit.kitID}
        crumbs={[
          ['orders', t('Orders')],
          [
            `orders/${kit.orderID}`,
            order ? orderHeadline(order) : t('To {name}', { name: kit.recipientEmail ?? t('its recipient') }),
          ],
        ]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={<KitActions detail={detail} />}
      />
      <TwoColumns
        left={
          <>
            {kit.replacedBy && (
              <Alert variant="light">
                {rich('This kit was replaced by {kit}.', {
                  kit: (
                    <PageLink key="kit" to={path('kits', kit.replacedBy)}>
                      {kit.replacedBy}
                    </PageLink>
                  ),
                })}
              </Alert>
            )}
            {detail.timeline.some(({ type }) => type === 'deliveryException') && <KitBox kitID={kit.kitID} />}
            {kit.kitStatus !== 'preparing' && <BusinessHold kitID={kit.kitID} />}
            {kit.kitStatus !== 'preparing' && <BusinessRecall kitID={kit.kitID} />}
            {registration && <BusinessLabOrder kitID={kit.kitID} />}
            <Sheet>
              <Title order={2} mb="md">
                {t('Timeline')}
              </Title>
              <KitTimeline detail={detail} />
            </Sheet>
            <RawJson value={detail} path={`/api/v1/kits/${kit.kitID}`} />
          </>
        }
        right={
          <>
            <KitFacts detail={detail} />
            {registration && <KitSample kitID={kit.kitID} />}
            <KitReminders kitID={kit.kitID} />
          </>
        }
      />
    </>
  )
}
