import type { Answer, Query } from '@kitlane/client'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

type Status = Answer<'get', '/operator/v1/carrier-events'>['data'][number]['status']
const statuses: Record<Status, string> = {
  label_created: t('label created'),
  in_transit: t('in transit'),
  out_for_delivery: t('out for delivery'),
  available_for_pickup: t('waits to be fetched'),
  delivered: t('delivered'),
  exception: t('exception'),
  refused: t('refused'),
  damaged: t('damaged'),
  lost: t('lost'),
  canceled: t('label canceled'),
  return_to_sender: t('return to sender'),
  return_in_transit: t('return in transit'),
  return_delivered: t('return delivered'),
}

/** Carrier events of unknown parcels. A typing error at the pack station shows up here. */
export function CarrierEventsPage() {
  const state = useListState<Query<'/operator/v1/carrier-events'>>()
  const events = useRead(
    '/operator/v1/carrier-events',
    { params: { query: { ...state.query, status: 'unmatched' } } },
    { keep: true },
  )
  return (
    <>
      <PageHeader
        title={t('Unknown parcels')}
        sentence={t(
          'Carrier events for tracking numbers that belong to no kit. They take effect as soon as a kit is shipped under the number.',
        )}
      />
      <DataTable
        label={t('Carrier events without a kit')}
        rows={events.data?.data}
        error={events.error}
        retry={() => void events.refetch()}
        rowKey={({ id }) => id}
        columns={[
          { header: t('Tracking number'), cell: ({ trackingNumber }) => trackingNumber },
          { header: t('Event'), cell: ({ status }) => statuses[status] },
          { header: t('Message'), cell: ({ message }) => message ?? '–', isMinor: true },
          { header: t('By'), cell: ({ source }) => source, isMinor: true },
          { header: t('When'), cell: ({ at }) => <RelativeDate value={at} /> },
        ]}
        empty={{ title: t('No unknown parcels'), text: t('Every carrier event belongs to a kit.') }}
      />
      <Pager state={state} pagination={events.data?.pagination} />
    </>
  )
}
