import { Alert, Button, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { PersonalAccess } from '../../api/shapes.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { dayOf, exactOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

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
        columns={columns}
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

const columns: Column<PersonalAccess>[] = [
  { header: t('When'), cell: (row) => <When {...row} /> },
  { header: t('Who'), cell: ({ who }) => <Who {...who} /> },
  { header: t('What data'), cell: ({ data }) => dataWords[data] },
  { header: t('What was done'), cell: ({ did }) => didWords[did] },
  { header: t('Why'), cell: (row) => <Why {...row} />, isMinor: true },
]

function When({ firstDate, lastDate, times }: PersonalAccess) {
  if (times === 1) return <>{exactOf(firstDate)}</>
  return (
    <>
      {exactOf(lastDate)}
      <Text size="xs" c="dimmed">
        {t('{times, number} times on {day}', { times, day: dayOf(firstDate) })}
      </Text>
    </>
  )
}

function Why({ reason, operation, job }: PersonalAccess) {
  if (reason) return <>{reason}</>
  if (operation) return <>{t('Request {operation}', { operation })}</>
  return <>{job ? t('Job {job}', { job }) : '–'}</>
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
  person: t('The person'),
  business: t('Your company'),
  operator: t('The operator'),
  laboratory: t('The laboratory'),
  service: t('The service itself'),
}

const dataWords: Record<PersonalAccess['data'], string> = {
  record: t('Personal record'),
  kit: t('Kit and registration'),
  order: t('Order with the address'),
  report: t('Report with results'),
  answers: t('Answers and values'),
  file: t('Uploaded file'),
  results: t('Results not assessed'),
  labMessage: t('Laboratory message'),
  email: 'E-mail',
}

const didWords: Record<PersonalAccess['did'], string> = {
  read: t('Read'),
  listed: t('Shown in a list'),
  exported: t('Exported to a file'),
  changed: t('Changed or processed'),
  refused: t('Refused'),
}
