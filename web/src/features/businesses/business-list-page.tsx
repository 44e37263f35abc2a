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

export function BusinessesPage() {
  const state = useListState<Query<'/operator/v1/businesses'>>(['q'])
  const businesses = useRead('/operator/v1/businesses', { params: { query: state.query } }, { keep: true })
  const add = (
    <Button component={Link} to="/operator/businesses/new">
      New business
    </Button>
  )
  return (
    <>
      <PageHeader title="Businesses" sentence="The companies that order kits." actions={add} />
      <ListToolbar state={state} search="Name or ID" />
      <DataTable
        label="Businesses"
        rows={businesses.data?.data}
        error={businesses.error}
        retry={() => void businesses.refetch()}
        rowKey={({ id }) => id}
        href={({ id }) => `/operator/businesses/${id}`}
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'ID', cell: ({ id }) => id, isMinor: true },
          { header: 'Panels', align: 'right', cell: ({ panels }) => panels, isMinor: true },
          { header: 'Kits under way', align: 'right', cell: ({ kitsInFlight }) => kitsInFlight },
          { header: 'Live credits', align: 'right', cell: ({ credits }) => credits.live.toLocaleString('en') },
          { header: 'Users', align: 'right', cell: ({ users }) => users, isMinor: true },
          { header: 'Since', cell: ({ createdDate }) => dayOf(createdDate), isMinor: true },
        ]}
        empty={{
          title: 'No business yet',
          text: 'A business has its own users and tokens, and orders kits.',
          action: add,
        }}
      />
      <Pager state={state} pagination={businesses.data?.pagination} />
    </>
  )
}
