import type { components } from '@kitlane/client'
import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { DataTable } from '../../components/data-table.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

type Answer = components['schemas']['ShipmentsFromCsv']
type Row = Answer['rows'][number]
type Status = Row['status']

// Rendering two thousand rows at once would block the page.
const SHOWN = 100

const tones: Record<Status, Tone> = { shipped: 'good', already: 'idle', failed: 'bad' }

/** What a row is called, and how many rows are. */
interface Words {
  one: string
  count: (count: number) => string
}

const already: Words = {
  one: t('Shipped already'),
  count: (count) => t('{count, number} shipped already', { count }),
}
const before: Record<Status, Words> = {
  shipped: { one: t('Will be shipped'), count: (count) => t('{count, number} will be shipped', { count }) },
  already,
  failed: { one: t('Cannot be shipped'), count: (count) => t('{count, number} cannot be shipped', { count }) },
}
const after: Record<Status, Words> = {
  shipped: { one: t('Shipped'), count: (count) => t('{count, number} shipped', { count }) },
  already,
  failed: { one: t('Not shipped'), count: (count) => t('{count, number} not shipped', { count }) },
}

const wordsOf = ({ dryRun }: Answer) => (dryRun ? before : after)
const statuses: readonly Status[] = ['shipped', 'already', 'failed']

export function CsvCounts({ answer }: { answer: Answer }) {
  const words = wordsOf(answer)
  return (
    <div role="status">
      <Group gap="lg">
        {statuses
          .filter((status) => answer[status] > 0)
          .map((status) => (
            <StatusDot key={status} tone={tones[status]}>
              {words[status].count(answer[status])}
            </StatusDot>
          ))}
      </Group>
      {answer.failed > 0 && (
        <Text c="dimmed" mt="xs">
          {t('Correct these rows and choose the whole file again. Rows that were shipped stay as they are.')}
        </Text>
      )}
    </div>
  )
}

/** Each row of the file, those with a problem first. */
export function CsvRows({ answer }: { answer: Answer }) {
  const [isWhole, setWhole] = useState(false)
  const words = wordsOf(answer)
  const rows = [...answer.rows].sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'))
  return (
    <>
      <DataTable
        label={t('Rows of the file')}
        rows={isWhole ? rows : rows.slice(0, SHOWN)}
        rowKey={({ row }) => row}
        columns={[
          { header: t('Line'), cell: ({ row }) => row },
          { header: t('Kit'), cell: ({ kitID }) => kitID || '–' },
          { header: t('Shipment'), cell: (row) => <Outcome row={row} words={words[row.status].one} /> },
        ]}
        empty={{ title: t('No rows'), text: t('The file has no row below the header.') }}
      />
      {!isWhole && rows.length > SHOWN && (
        <Group>
          <Button variant="default" onClick={() => setWhole(true)}>
            {t('Show all {count, number} rows', { count: rows.length })}
          </Button>
        </Group>
      )}
    </>
  )
}

function Outcome({ row: { status, error }, words }: { row: Row; words: string }) {
  return (
    <>
      <StatusDot tone={tones[status]}>{words}</StatusDot>
      {error && <Text size="sm">{inColumns(error)}</Text>}
    </>
  )
}

/** The columns of the file have shorter names than the fields of the API. */
const inColumns = (error: string) => error.replace(/^(outbound|return)TrackingNumber/, '$1')
