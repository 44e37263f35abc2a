import { Button, Skeleton, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import type { Customer } from '../../api/shapes.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { BiomarkerRow } from '../reports/biomarker-row.tsx'
import { groupsByHarm } from '../reports/harm.ts'
import { HarmGroups } from '../reports/harm-groups.tsx'

/** What was measured more than once, as the newest report has it. Read when it is asked for, since reading a report is recorded. */
export function ValuesOverTime({ customer: { id, reports } }: { customer: Customer }) {
  const [isAsked, setAsked] = useState(false)
  const published = reports.filter(({ status }) => status === 'published')
  const [newest] = published.toSorted((a, b) => dayIn(b).localeCompare(dayIn(a)))
  if (published.length < 2 || !newest) return null
  return (
    <Section
      title={t('Values over time')}
      action={
        isAsked ? undefined : (
          <Button variant="default" size="compact-sm" onClick={() => setAsked(true)}>
            {t('Show them')}
          </Button>
        )
      }
    >
      {isAsked && <Values customerID={String(id)} reportID={newest.id} />}
    </Section>
  )
}

const dayIn = ({ collectedDate, resultedDate }: Customer['reports'][number]): string =>
  collectedDate ?? resultedDate ?? ''

function Values({ customerID, reportID }: { customerID: string; reportID: string }) {
  const report = useRead('/api/v1/customers/{customerID}/reports/{reportID}', {
    params: { path: { customerID, reportID } },
  })
  if (report.error && !report.data) return <ErrorAlert error={report.error} retry={() => void report.refetch()} />
  if (!report.data) return <Skeleton height={120} />
  const repeated = report.data.biomarker.filter(({ historic }) => historic.length > 1)
  if (repeated.length === 0) return <Text c="dimmed">{t('No value was measured twice.')}</Text>
  const groups = groupsByHarm({ ...report.data, biomarker: repeated, unassessed: [] })
  return <HarmGroups groups={groups} row={(entry) => <BiomarkerRow entry={entry} />} />
}
