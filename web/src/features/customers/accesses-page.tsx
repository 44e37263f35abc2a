import { Alert, Button, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { PersonalAccess } from '../../api/shapes.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { pluralize } from '../../components/pluralize.ts'
import { dayOf, exactOf } from '../../components/relative-date.tsx'

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
  const name = customer.data?.name ?? `customer ${customerID}`
  const rows = accesses.data?.data
  const print = () => {
    setWhole(true)
    // After the whole table is drawn.
    setTimeout(() => window.print())
  }
  return (
    <>
      <PageHeader
        title="Who saw this data"
        crumbs={[
          ['customers', 'Customers'],
          [`customers/${customerID}`, customer.data?.name ?? `Customer ${customerID}`],
        ]}
        sentence={`Everybody who read or changed data of ${name}, newest first. Repeated accesses of one day are one row.`}
        actions={
          <Button variant="default" onClick={print} disabled={!rows?.length}>
            Print
          </Button>
        }
      />
      <ListToolbar
        state={state}
        filters={[{ kind: 'dates', key: 'date', label: 'When', from: 'from', to: 'to' }]}
        csv={`/api/v1/customers/${customerID}/accesses`}
      />
      {accesses.data && !accesses.data.isComplete && (
        <Alert color="yellow" mb="md" title="There are more">
          These are the newest 10,000 rows. Choose a shorter time to see the others.
        </Alert>
      )}
      <DataTable
        label="Accesses"
        rows={isWhole ? rows : rows?.slice(0, FIRST)}
        error={accesses.error}
        retry={() => void accesses.refetch()}
        rowKey={(row) => JSON.stringify(row)}
        columns={columns}
        empty={{ title: 'Nobody', text: 'In this time, nobody saw the data of this person.' }}
      />
      {rows && !isWhole && rows.length > FIRST && (
        <Button variant="subtle" mt="sm" className="no-print" onClick={() => setWhole(true)}>
          Show all {pluralize(rows.length, 'row')}
        </Button>
      )}
    </>
  )
}

const columns: Column<PersonalAccess>[] = [
  { header: 'When', cell: (row) => <When {...row} /> },
  { header: 'Who', cell: ({ who }) => <Who {...who} /> },
  { header: 'What data', cell: ({ data }) => dataWords[data] },
  { header: 'What was done', cell: ({ did }) => didWords[did] },
  { header: 'Why', cell: (row) => <Why {...row} />, isMinor: true },
]

function When({ firstDate, lastDate, times }: PersonalAccess) {
  if (times === 1) return <>{exactOf(firstDate)}</>
  return (
    <>
      {exactOf(lastDate)}
      <Text size="xs" c="dimmed">
        {times.toLocaleString('en')} times on {dayOf(firstDate)}
      </Text>
    </>
  )
}

function Why({ reason, operation, job }: PersonalAccess) {
  if (reason) return <>{reason}</>
  if (operation) return <>Request {operation}</>
  return <>{job ? `Job ${job}` : '–'}</>
}

function Who({ kind, role, name }: PersonalAccess['who']) {
  const more = [name, role].filter(Boolean).join(', ')
  return (
    <>
      {whoWords[kind]}
      {more && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </>
  )
}

const whoWords: Record<PersonalAccess['who']['kind'], string> = {
  person: 'The person',
  business: 'Your company',
  operator: 'The operator',
  laboratory: 'The laboratory',
  service: 'The service itself',
}

const dataWords: Record<PersonalAccess['data'], string> = {
  record: 'Personal record',
  kit: 'Kit and registration',
  order: 'Order with the address',
  report: 'Report with results',
  answers: 'Answers and values',
  file: 'Uploaded file',
  results: 'Results not assessed',
  labMessage: 'Laboratory message',
  email: 'E-mail',
}

const didWords: Record<PersonalAccess['did'], string> = {
  read: 'Read',
  listed: 'Shown in a list',
  exported: 'Exported to a file',
  changed: 'Changed or processed',
  refused: 'Refused',
}
