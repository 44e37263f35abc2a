import type { Query } from '@kitlane/client'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import type { ListedCustomer } from '../../api/shapes.ts'
import { useArrayList } from '../../api/use-array-list.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { useShownInCsv } from '../../components/columns.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { SelectionBar, useSelection } from '../../components/selection.tsx'
import { t } from '../../language/t.ts'
import { NewCustomer } from './new-customer.tsx'

export function CustomerListPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const state = useListState<Query<'/api/v1/customers'>>(['q'])
  const [opened, { open, close }] = useDisclosure()
  const customers = useArrayList('/api/v1/customers', state)
  const selection = useSelection(state)
  const add = write && (
    <Button onClick={open} aria-haspopup="dialog">
      {t('Add a customer')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Customers')}
        sentence={t('The people who are tested. Registering a kit adds its person.')}
        actions={
          <>
            <Button variant="default" component={Link} to={path('customers', 'requests')}>
              {t('Requests of people')}
            </Button>
            {add}
          </>
        }
      />
      <ListToolbar
        state={state}
        search={t('ID, e-mail or name')}
        csv="/api/v1/customers"
        shown={useShownInCsv(t('Customers'), columns)}
      />
      <SelectionBar selection={selection} csv="/api/v1/customers" by="id" />
      <DataTable
        label={t('Customers')}
        rows={customers.data?.rows}
        error={customers.error}
        retry={() => void customers.refetch()}
        columns={columns}
        state={state}
        selection={{ ...selection, nameOf: ({ name }) => name }}
        rowKey={({ id }) => id}
        href={({ id }) => path('customers', id)}
        empty={
          state.isFiltered
            ? {
                title: t('No matching customers'),
                text: t('Search for another e-mail, name or ID. Three letters of a name are needed.'),
              }
            : {
                title: t('No customers yet'),
                text: t(
                  'Registering a kit adds its customer. You can also add someone whose results you already have.',
                ),
                action: add,
              }
        }
      />
      <Pager state={state} pagination={customers.data?.pagination} />
      <NewCustomer opened={opened} onClose={close} />
    </>
  )
}

const columns: Column<ListedCustomer>[] = [
  { header: t('Name'), csv: ['name'], cell: ({ name }) => name },
  { header: t('E-mail'), csv: ['email'], cell: ({ email }) => email },
  {
    header: t('Born'),
    csv: ['dateOfBirth'],
    cell: ({ dateOfBirth }) => (dateOfBirth ? dayOf(dateOfBirth) : '–'),
    isMinor: true,
  },
  { header: t('Reports'), csv: ['reports'], cell: ({ reports }) => reports.length, align: 'right' },
  {
    header: t('Added'),
    csv: ['createdDate'],
    sort: 'createdDate',
    cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
    isMinor: true,
  },
  {
    header: t('Your ID'),
    csv: ['external_id'],
    cell: ({ external_id }) => external_id ?? '–',
    align: 'right',
    isMinor: true,
  },
]
