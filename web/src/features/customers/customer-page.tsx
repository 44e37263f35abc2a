import { Button, Group, Skeleton, Tabs } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchRaw } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import type { Customer } from '../../api/shapes.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmHeader, useRealmPath } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { reportHeadline } from '../../components/headlines.ts'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RawJson } from '../../components/raw-json.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { saveFile } from '../../components/save-file.ts'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { relationWord } from '../consent/relations.ts'
import { reportLabel } from '../reports/labels.ts'
import { useReportPath } from '../reports/use-report-path.ts'
import { CorrectCustomer } from './correct-customer.tsx'
import { CustomerKits } from './customer-kits.tsx'
import { FileForm } from './file-form.tsx'
import { QuizForm } from './quiz-form.tsx'
import { sexLabels } from './sexes.ts'
import { ValuesForm } from './values-form.tsx'
import { ValuesOverTime } from './values-over-time.tsx'

export function CustomerPage() {
  const { customerID = '' } = useParams({ strict: false })
  const customer = useRead('/api/v1/customers/{id}', { params: { path: { id: customerID } } })
  if (customer.error && !customer.data)
    return <ErrorAlert error={customer.error} retry={() => void customer.refetch()} />
  if (!customer.data) return <Skeleton height={320} />
  return <CustomerView customer={customer.data} />
}

function CustomerView({ customer }: { customer: Customer }) {
  const { write } = usePermissions()
  return (
    <>
      <PageHeader
        title={customer.name}
        crumbs={[['customers', t('Customers')]]}
        id={customer.id}
        actions={
          write && (
            <>
              <CorrectCustomer key={JSON.stringify(customer)} customer={customer} />
              <CustomerActions customer={customer} />
            </>
          )
        }
      />
      <TwoColumns
        left={
          <>
            <Reports customer={customer} />
            <ValuesOverTime customer={customer} />
            <CustomerKits customerID={customer.id} />
            {write && <AddData customerID={customer.id} />}
            <RawJson value={customer} path={`/api/v1/customers/${customer.id}`} />
          </>
        }
        right={
          <Facts
            title={t('Person')}
            facts={[
              [t('E-mail'), customer.email],
              [
                t('Registered by'),
                customer.guardian && `${customer.guardian.name} (${relationWord[customer.guardian.relation]})`,
              ],
              [t('Their e-mail'), customer.guardian?.email],
              [t('Born'), customer.dateOfBirth && dayOf(customer.dateOfBirth)],
              [t('Sex'), customer.gender && sexLabels[customer.gender]],
              [t('Your ID'), customer.external_id],
              [t('Tags'), customer.customTags.join(', ')],
            ]}
          />
        }
      />
    </>
  )
}

type CustomerReport = Customer['reports'][number]

function Reports({ customer }: { customer: Customer }) {
  const reportPath = useReportPath()
  return (
    <Section title={t('Reports')}>
      <DataTable
        label={t('Reports')}
        rows={customer.reports}
        columns={columns}
        rowKey={({ id }) => String(id)}
        href={({ id }) => reportPath(String(id), customer.id)}
        empty={{
          title: t('No reports yet'),
          text: t('A report is created when the laboratory sends results, or when you add results below.'),
        }}
      />
    </Section>
  )
}

const columns: Column<CustomerReport>[] = [
  {
    header: t('Report'),
    cell: ({ collectedDate, resultedDate }) => reportHeadline(undefined, collectedDate ?? resultedDate),
  },
  {
    header: t('Collected'),
    cell: ({ collectedDate }) => (collectedDate ? dayOf(collectedDate) : t('Date not given')),
    isMinor: true,
  },
  { header: t('Resulted'), cell: ({ resultedDate }) => (resultedDate ? dayOf(resultedDate) : '–'), isMinor: true },
  {
    header: t('Status'),
    cell: ({ status }) => <StatusDot tone={reportLabel(status).tone}>{reportLabel(status).label}</StatusDot>,
  },
  {
    header: t('Kit'),
    cell: ({ kitID }) => (kitID ? <IdCell id={kitID} /> : t('Added results')),
    align: 'right',
    isMinor: true,
  },
]

function CustomerActions({ customer }: { customer: Customer }) {
  const realm = useRealmHeader()
  const path = useRealmPath()
  const navigate = useNavigate()
  const [isSaving, setSaving] = useState(false)
  const erase = useWrite('delete', '/api/v1/customers/{id}')
  const save = async () => {
    setSaving(true)
    const response = await fetchRaw(realm, `/api/v1/customers/${customer.id}/export`).finally(() => setSaving(false))
    saveFile(await response.blob(), `customer-${customer.id}.json`)
  }
  return (
    <Group gap="xs">
      <Button variant="default" component={Link} to={path('customers', String(customer.id), 'accesses')}>
        {t('Who saw this data')}
      </Button>
      <Button variant="default" loading={isSaving} onClick={() => void save()}>
        {t('Export everything')}
      </Button>
      <ConfirmButton
        label={t('Erase')}
        isDangerous
        typed={customer.name}
        sentence={t(
          'Name, contact details, reports, uploaded files and answers are deleted permanently. Kits and orders stay, without the person. This cannot be undone.',
        )}
        action={async () => {
          await erase.mutateAsync({ params: { path: { id: String(customer.id) } } })
          await navigate({ to: path('customers') })
        }}
        done={t('The customer was erased')}
      />
    </Group>
  )
}

/** Adds results and answers that did not come from a kit. */
function AddData({ customerID }: { customerID: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Section
      title={t('Add data')}
      action={
        isOpen ? undefined : (
          <Button variant="default" size="compact-sm" onClick={() => setOpen(true)}>
            {t('Add results or answers')}
          </Button>
        )
      }
    >
      {isOpen && (
        <Tabs defaultValue="values" keepMounted={false}>
          <Tabs.List mb="md">
            <Tabs.Tab value="values">{t('Test values')}</Tabs.Tab>
            <Tabs.Tab value="file">{t('Laboratory file')}</Tabs.Tab>
            <Tabs.Tab value="quiz">{t('Quiz answers')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="values">
            <ValuesForm customerID={customerID} />
          </Tabs.Panel>
          <Tabs.Panel value="file">
            <FileForm customerID={customerID} />
          </Tabs.Panel>
          <Tabs.Panel value="quiz">
            <QuizForm customerID={customerID} />
          </Tabs.Panel>
        </Tabs>
      )}
    </Section>
  )
}
