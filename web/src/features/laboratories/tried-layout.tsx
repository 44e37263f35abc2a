import type { components } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { WarningAlert } from '../../components/warning-alert.tsx'
import { t } from '../../language/t.ts'

type Tried = components['schemas']['TriedLayout']
type Result = Tried['results'][number]

const columns: Column<Result>[] = [
  { header: t('As printed'), cell: ({ name }) => name },
  { header: t('Value'), cell: ({ value, unit }) => [value, unit].filter(Boolean).join(' ') },
  { header: t('Range'), cell: ({ range }) => range, isMinor: true },
  { header: t('Day'), cell: ({ collectedDate }) => collectedDate, isMinor: true },
  { header: t('Read as'), cell: ({ biomarkerID, number, waitsFor }) => waitsFor ?? `${biomarkerID} ${number ?? ''}` },
]

const person = { name: t('name'), dateOfBirth: t('date of birth'), sex: t('sex'), id: t('number') } as const

/** What a template would read of a file. */
export function TriedLayout({ tried }: { tried: Tried }) {
  const { recognised, refused, lines, personRead, results, notes } = tried
  const about = personRead.map((one) => person[one]).join(', ')
  return (
    <Stack gap="sm">
      {!recognised && (
        <WarningAlert title={t('The file was not recognised')}>
          {t('Not all texts of recognisedBy stand in it, so it was read without the template.')}
        </WarningAlert>
      )}
      {refused && <WarningAlert title={t('Nothing was read')}>{refused}</WarningAlert>}
      <Text>
        {t(
          '{counted, plural, one {# line looks like a result} other {# lines look like results}}: {assessed} would be in the report, {waiting} would wait, {dismissed} are of no result.',
          {
            counted: lines.counted,
            assessed: lines.assessed,
            waiting: lines.waiting,
            dismissed: lines.dismissed,
          },
        )}{' '}
        {about ? t('Read of the person: {what}.', { what: about }) : t('Nothing was read of the person.')}
      </Text>
      {notes.map((note) => (
        <Text key={note} c="dimmed">
          {note}
        </Text>
      ))}
      {results.length > 0 && (
        <DataTable
          label={t('What would be read')}
          rows={results}
          columns={columns}
          rowKey={({ position, name, value }) => `${position} ${name} ${value}`}
          empty={{ title: t('No results'), text: t('Nothing was read.') }}
        />
      )}
    </Stack>
  )
}
