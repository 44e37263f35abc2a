import type { Query } from '@kitlane/client'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { locale, t } from '../../language/t.ts'
import { WaitingReversals } from '../payments/waiting-reversals.tsx'

export function BusinessesPage() {
  const state = useListState<Query<'/operator/v1/businesses'>>(['q'])
  const businesses = useRead('/operator/v1/businesses', { params: { query: state.query } }, { keep: true })
  const add = (
    <Button component={Link} to="/operator/businesses/new">
      {t('New business')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('Businesses')} sentence={t('The companies that order kits.')} actions={add} />
      <WaitingReversals />
      <ListToolbar state={state} search={t('Name or ID')} />
      <DataTable
        label={t('Businesses')}
        rows={businesses.data?.data}
        error={businesses.error}
        retry={() => void businesses.refetch()}
        rowKey={({ id }) => id}
        href={({ id }) => `/operator/businesses/${id}`}
        columns={[
          { header: t('Name'), cell: ({ name }) => name },
          { header: 'ID', cell: ({ id }) => id, isMinor: true },
          { header: t('Panels'), align: 'right', cell: ({ panels }) => panels, isMinor: true },
          { header: t('Kits under way'), align: 'right', cell: ({ kitsInFlight }) => kitsInFlight },
          { header: t('Live credits'), align: 'right', cell: ({ credits }) => credits.live.toLocaleString(locale()) },
          { header: t('Users'), align: 'right', cell: ({ users }) => users, isMinor: true },
          { header: t('Since'), cell: ({ createdDate }) => dayOf(createdDate), isMinor: true },
        ]}
        empty={{
          title: t('No business yet'),
          text: t('A business has its own users and tokens, and orders kits.'),
          action: add,
        }}
      />
      <Pager state={state} pagination={businesses.data?.pagination} />
    </>
  )
}
