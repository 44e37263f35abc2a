import type { Query } from '@kitlane/client'
import { useRead } from '../../../api/hooks.ts'
import { useListState } from '../../../components/list-state.ts'
import { t } from '../../../language/t.ts'
import { NumbersView, rangeOf } from './numbers-view.tsx'

type FunnelQuery = Query<'/operator/v1/numbers/funnel'>
type RangeQuery = Query<'/operator/v1/numbers/turnaround'>

const groupings = [
  { value: 'panel', label: t('Panel') },
  { value: 'carrier', label: t('Carrier') },
  { value: 'business', label: t('Business') },
]
const keep = { keep: true }
const MOST_BUSINESSES = 250

/** What became of the live kits of all businesses, or of one. */
export function OperatorNumbersPage() {
  const state = useListState<FunnelQuery>(['from', 'to', 'businessID', 'panel', 'per', 'by'])
  // Filters are text from the URL: the service checks them, and the page shows what it says.
  const query = rangeOf(state.filters) as RangeQuery
  const answers = {
    funnel: useRead('/operator/v1/numbers/funnel', { params: { query: state.filters as FunnelQuery } }, keep),
    turnaround: useRead('/operator/v1/numbers/turnaround', { params: { query } }, keep),
    promises: useRead('/operator/v1/numbers/promises', { params: { query } }, keep),
    rejections: useRead('/operator/v1/numbers/rejections', { params: { query } }, keep),
    credits: useRead('/operator/v1/numbers/credits', { params: { query } }, keep),
  }
  const panels = useRead('/operator/v1/panels')
  const businesses = useRead('/operator/v1/businesses', { params: { query: { size: MOST_BUSINESSES } } })
  const ofPanels = panels.data?.map(({ kitType, name }) => ({ value: kitType, label: name })) ?? []
  const ofBusinesses = businesses.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return (
    <NumbersView
      base="/operator/v1/numbers"
      state={state}
      groupings={groupings}
      filters={[
        { key: 'businessID', label: t('Business'), options: ofBusinesses },
        { key: 'panel', label: t('Panel'), options: ofPanels },
      ]}
      answers={answers}
      promiseHelp={t(
        'Nothing is promised yet: in the catalogue, each panel may say how many days after a sample came its report is there.',
      )}
    />
  )
}
