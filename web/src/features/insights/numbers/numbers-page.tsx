import type { Query } from '@kitlane/client'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../../api/hooks.ts'
import { usePermissions } from '../../../app/permissions.ts'
import { useApi, useRealmPath } from '../../../app/realm.tsx'
import { useListState } from '../../../components/list-state.ts'
import { t } from '../../../language/t.ts'
import { NumbersView, rangeOf } from './numbers-view.tsx'

type FunnelQuery = Query<'/api/v1/numbers/funnel'>
type RangeQuery = Query<'/api/v1/numbers/turnaround'>

const keep = { keep: true }
const MOST_BUSINESSES = 250
const size = { params: { query: { size: MOST_BUSINESSES } } }

/** What became of the kits of a business, or of the live kits of all businesses or one of them. */
export function NumbersPage() {
  const api = useApi()
  const isOfBusiness = api === '/api/v1'
  const state = useListState<FunnelQuery & { businessID?: string }>([
    ...(isOfBusiness ? [] : (['businessID'] as const)),
    ...(['from', 'to', 'panel', 'per', 'by'] as const),
  ])
  // Filters are text from the URL: the service checks them, and the page shows what it says.
  const query = rangeOf(state.filters) as RangeQuery
  const answers = {
    funnel: useRead(`${api}/numbers/funnel`, { params: { query: state.filters as FunnelQuery } }, keep),
    turnaround: useRead(`${api}/numbers/turnaround`, { params: { query } }, keep),
    promises: useRead(`${api}/numbers/promises`, { params: { query } }, keep),
    rejections: useRead(`${api}/numbers/rejections`, { params: { query } }, keep),
    credits: useRead(`${api}/numbers/credits`, { params: { query } }, keep),
  }
  const path = useRealmPath()
  const { write } = usePermissions()
  const panels = useRead(`${api}/panels`).data?.map(({ kitType, name }) => ({ value: kitType, label: name }))
  const businesses = useRead('/operator/v1/businesses', size, { enabled: !isOfBusiness }).data?.data
  const ofBusinesses = businesses?.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <NumbersView
      base={`${api}/numbers`}
      state={state}
      groupings={[
        { value: 'panel', label: t('Panel') },
        { value: 'carrier', label: t('Carrier') },
        ...(isOfBusiness ? [] : [{ value: 'business', label: t('Business') }]),
      ]}
      filters={[
        ...(isOfBusiness ? [] : [{ key: 'businessID', label: t('Business'), options: ofBusinesses ?? [] }]),
        { key: 'panel', label: t('Panel'), options: panels ?? [] },
      ]}
      answers={answers}
      promiseHelp={
        isOfBusiness
          ? t(
              'Nothing is promised yet: the laboratory says by panel how many days after a sample came its report is there.',
            )
          : t(
              'Nothing is promised yet: in the catalogue, each panel may say how many days after a sample came its report is there.',
            )
      }
      action={
        isOfBusiness &&
        write && (
          <Button component={Link} to={path('orders', 'new')}>
            {t('New order')}
          </Button>
        )
      }
    />
  )
}
