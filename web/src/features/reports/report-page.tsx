import { Button, Select, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { fetchRaw } from '../../api/client.ts'
import { useRead, useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import type { Report, ReportReview } from '../../api/shapes.ts'
import { useRealmHeader, useRealmPath } from '../../app/realm.tsx'
import { useSearchState } from '../../app/search.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { reportHeadline } from '../../components/headlines.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { saveFile } from '../../components/save-file.ts'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { CriticalResultsDialog, type Notified } from './critical-results-dialog.tsx'
import { criticalNames, idsOf } from './harm.ts'
import { reportLabel } from './labels.ts'
import { ReportView } from './report-view.tsx'
import { useNote } from './use-note.tsx'

/** A report of any status, for people who may publish it. */
export function ReportPage() {
  const { reportID = '' } = useParams({ strict: false })
  const review = useRead('/api/v1/reports/{reportID}', { params: { path: { reportID } } })
  if (review.error && !review.data) return <ErrorAlert error={review.error} retry={() => void review.refetch()} />
  if (!review.data) return <Skeleton height={480} />
  const { customer, status } = review.data
  return <Versions report={review.data} status={status} customerID={customer.id} name={customer.name} />
}

/** A published report, opened from its customer. */
export function CustomerReportPage() {
  const { customerID = '', reportID = '' } = useParams({ strict: false })
  const customer = useRead('/api/v1/customers/{id}', { params: { path: { id: customerID } } })
  const report = useRead('/api/v1/customers/{customerID}/reports/{reportID}', {
    params: { path: { customerID, reportID } },
  })
  if (report.error && !report.data) return <ErrorAlert error={report.error} retry={() => void report.refetch()} />
  if (!report.data || !customer.data) return <Skeleton height={480} />
  return <Versions report={report.data} status="published" customerID={customer.data.id} name={customer.data.name} />
}

interface VersionsProps {
  report: Report | ReportReview
  status: ReportReview['status']
  customerID: number
  /** Undefined for a person without one. */
  name: string | undefined
}

/** The newest version, or the older one that the URL names. */
function Versions({ report: newest, status, customerID, name }: VersionsProps) {
  const [search, change] = useSearchState()
  const { version, collectedDate, resultedDate } = newest.details
  const wanted = Number(search.version) || version
  const older = useRead(
    '/api/v1/customers/{customerID}/reports/{reportID}',
    { params: { path: { customerID: String(customerID), reportID: newest.id }, query: { version: wanted } } },
    { enabled: wanted !== version },
  )
  const report = wanted === version ? newest : older.data
  const published = publishedOf(newest)
  const versions = [...new Set([...published, version])]
  const word = reportLabel(status)
  return (
    <>
      <PageHeader
        title={reportHeadline(name, collectedDate ?? resultedDate)}
        id={newest.id}
        crumbs={[
          ['customers', t('Customers')],
          [`customers/${customerID}`, name ?? t('Customer {customerID}', { customerID })],
        ]}
        beside={<StatusDot tone={word.tone}>{word.label}</StatusDot>}
        actions={
          <>
            {versions.length > 1 && (
              <Select
                w={150}
                aria-label={t('Version')}
                allowDeselect={false}
                value={String(wanted)}
                onChange={(to) => change({ version: to === String(version) ? undefined : (to ?? undefined) })}
                data={versions.map((one) => ({
                  value: String(one),
                  label:
                    one === version
                      ? t('Version {version}, newest', { version: one })
                      : t('Version {version}', { version: one }),
                }))}
              />
            )}
            {published.includes(wanted) && <PdfButton customerID={customerID} reportID={newest.id} version={wanted} />}
            {status === 'inReview' && wanted === version && 'customer' in newest && <Publish report={newest} />}
          </>
        }
      />
      {older.error && wanted !== version && <ErrorAlert error={older.error} />}
      {report ? <ReportView report={report} /> : <Skeleton height={480} />}
    </>
  )
}

/** The versions that can be read, oldest first. */
function publishedOf({ details }: Report | ReportReview): number[] {
  if (details.versions) return details.versions
  return details.status === 'published' ? Array.from({ length: details.latestVersion }, (_, index) => index + 1) : []
}

function Publish({ report }: { report: ReportReview }) {
  const path = useRealmPath()
  const publish = useWrite('post', '/api/v1/reports/{reportID}/publish')
  const [isOpen, { open, close }] = useDisclosure()
  const params = { path: { reportID: report.id } }
  const read = { version: report.details.version, seen: idsOf(report.unassessed) }
  const { note, isIncomplete, fields } = useNote(report.id)
  const critical = criticalNames(report, ({ name, value }) => t('{name} {value}, not assessed', { name, value }))
  if (critical.length === 0) {
    return (
      <ConfirmButton
        label={t('Publish')}
        variant="filled"
        sentence={t(
          'The person can read the report from then on. A published report stays published; a correction creates a new version.',
        )}
        action={() => publish.mutateAsync({ params, body: { ...read, note } })}
        done={t('The report is published')}
      >
        {fields}
      </ConfirmButton>
    )
  }
  const release = (notified: Notified) =>
    publish.mutate(
      { params, body: { ...read, notified, note } },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: t('The report is published') })
        },
      },
    )
  return (
    <>
      <Button onClick={open}>{t('Publish')}</Button>
      <CriticalResultsDialog
        opened={isOpen}
        critical={critical}
        page={path('reports', 'critical')}
        isBusy={publish.isPending}
        error={publish.error}
        onClose={close}
        onPublish={release}
        isIncomplete={isIncomplete}
      >
        {fields}
      </CriticalResultsDialog>
    </>
  )
}

function PdfButton({ customerID, reportID, version }: { customerID: number; reportID: string; version: number }) {
  const realm = useRealmHeader()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const path = `/api/v1/customers/${customerID}/reports/${encodeURIComponent(reportID)}?version=${version}`
      const response = await fetchRaw(realm, path, { headers: { Accept: 'application/pdf' } })
      saveFile(await response.blob(), `report-${reportID}-v${version}.pdf`)
    } catch (error) {
      notifications.show({
        color: 'red',
        title: t('The PDF could not be downloaded'),
        message: asProblem(error).message,
      })
    }
    setBusy(false)
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      PDF
    </Button>
  )
}
