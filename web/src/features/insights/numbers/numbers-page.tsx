import type { Query } from '@kitlane/client'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/hooks.ts'
import { usePermissions } from '../../../app/permissions.ts'
import { useRealmPath } from '../../../app/realm.tsx'
import { useListState } from '../../../components/list-state.ts'
import { t } from '../../../language/t.ts'
import { usePanels } from '../../catalogue/use-panels.ts'
import { NumbersView, rangeOf } from './numbers-view.tsx'

type FunnelQuery = Query<'/api/v1/numbers/funnel'>
type RangeQuery = Query<'/api/v1/numbers/turnaround'>

const groupings = [
  { value: 'panel', label: t('Panel') },
  { value: 'carrier', label: t('Carrier') },
]
const keep = { keep: true }

/** What became of the kits of this business. */
export function NumbersPage() {
  const state = useListState<FunnelQuery>(['from', 'to', 'panel', 'per', 'by'])
  // Filters are text from the URL: the service checks them, and the page shows what it says.
  const query = rangeOf(state.filters) as RangeQuery
  const answers = {
    funnel: useRead('/api/v1/numbers/funnel', { params: { query: state.filters as FunnelQuery } }, keep),
    turnaround: useRead('/api/v1/numbers/turnaround', { params: { query } }, keep),
    promises: useRead('/api/v1/numbers/promises', { params: { query } }, keep),
    rejections: useRead('/api/v1/numbers/rejections', { params: { query } }, keep),
    credits: useRead('/api/v1/numbers/credits', { params: { query } }, keep),
  }
  const path = useRealmPath()
  const { write } = usePermissions()
  const { options } = usePanels()
  return (
    <NumbersView
      base="/api/v1/numbers"
      state={state}
      groupings={groupings}
      filters={[{ key: 'panel', label: t('Panel'), options }]}
      answers={answers}
      promiseHelp={t(
        'Nothing is promised yet: the laboratory says by panel how many days after a sample came its report is there.',
      )}
      action={
        write && (
          <Button component={Link} to={path('orders', 'new')}>
            {t('New order')}
          </Button>
        )
      }
    />
  )
}
