import { Alert, Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/t.ts'
import { accessColumns } from './access-columns.tsx'

// A table of more rows makes the page slow; printing shows all of them.
const FIRST = 200

/** Who saw the data of a person, to show, print or hand over. */
export function AccessesPage() {
  const { customerID = '' } = useParams({ strict: false })
  const [isWhole, setWhole] = useState(false)
  const state = useListState<{ from?: string; to?: string }>(['from', 'to'])
  const accesses = useRead('/api/v1/customers/{id}/accesses', {
    params: { path: { id: customerID }, query: state.filters },
  })
  // The name is there for those who come from the person's page. To ask for it would be one more access.
  const customer = useRead('/api/v1/customers/{id}', { params: { path: { id: customerID } } }, { enabled: false })
  const name = customer.data?.name ?? t('customer {customerID}', { customerID })
  const rows = accesses.data?.data
  const print = () => {
    setWhole(true)
    // After the whole table is drawn.
    setTimeout(() => window.print())
  }
  return (
    <>
      <PageHeader
        title={t('Who saw this data')}
        crumbs={[
          ['customers', t('Customers')],
          [`customers/${customerID}`, customer.data?.name ?? t('Customer {customerID}', { customerID })],
        ]}
        sentence={t(
          'Everybody who read or changed data of {name}, newest first. Repeated accesses of one day are one row.',
          { name },
        )}
        actions={
          <Button variant="default" onClick={print} disabled={!rows?.length}>
            {t('Print')}
          </Button>
        }
      />
      <ListToolbar
        state={state}
        filters={[{ kind: 'dates', key: 'date', label: t('When'), from: 'from', to: 'to' }]}
        csv={`/api/v1/customers/${customerID}/accesses`}
      />
      {accesses.data && !accesses.data.isComplete && (
        <Alert color="yellow" mb="md" title={t('There are more')}>
          {t('These are the newest 10,000 rows. Choose a shorter time to see the others.')}
        </Alert>
      )}
      <DataTable
        label={t('Accesses')}
        rows={isWhole ? rows : rows?.slice(0, FIRST)}
        error={accesses.error}
        retry={() => void accesses.refetch()}
        rowKey={(row) => JSON.stringify(row)}
        columns={accessColumns}
        empty={{ title: t('Nobody'), text: t('In this time, nobody saw the data of this person.') }}
      />
      {rows && !isWhole && rows.length > FIRST && (
        <Button variant="subtle" mt="sm" className="no-print" onClick={() => setWhole(true)}>
          {t('Show all {count, plural, one {# row} other {# rows}}', { count: rows.length })}
        </Button>
      )}
    </>
  )
}
