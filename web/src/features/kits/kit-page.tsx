import { Alert, Paper, Skeleton, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import type { KitDetail } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { RawJson } from '../../components/raw-json.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { usePanels } from '../catalogue/use-panels.ts'
import { KitActions } from './kit-actions.tsx'
import { KitFacts } from './kit-facts.tsx'
import { standingOf } from './kit-standing.ts'
import { KitTimeline } from './kit-timeline.tsx'

export function KitPage() {
  const { kitID = '' } = useParams({ strict: false })
  const detail = useRead('/api/v1/kits/{kitID}', { params: { path: { kitID } } })
  if (detail.error && !detail.data) return <ErrorAlert error={detail.error} retry={() => void detail.refetch()} />
  if (!detail.data) return <Skeleton height={480} />
  return <KitView detail={detail.data} />
}

function KitView({ detail }: { detail: KitDetail }) {
  const path = useRealmPath()
  const { nameOf } = usePanels()
  const { kit } = detail
  const word = standingOf(kit)
  return (
    <>
      <PageHeader
        title="Kit"
        id={kit.kitID}
        crumbs={[
          ['orders', 'Orders'],
          [`orders/${kit.orderID}`, kit.orderID],
        ]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        sentence={nameOf(kit.kitType)}
        actions={<KitActions detail={detail} />}
      />
      <TwoColumns
        left={
          <>
            {kit.replacedBy && (
              <Alert variant="light">
                This kit was replaced by <PageLink to={path('kits', kit.replacedBy)}>{kit.replacedBy}</PageLink>.
              </Alert>
            )}
            <Paper withBorder p="lg" component="section">
              <Title order={2} mb="md">
                Timeline
              </Title>
              <KitTimeline detail={detail} />
            </Paper>
            <RawJson value={detail} path={`/api/v1/kits/${kit.kitID}`} />
          </>
        }
        right={<KitFacts detail={detail} />}
      />
    </>
  )
}
