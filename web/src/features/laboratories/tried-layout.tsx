import type { components } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { WarningAlert } from '../../components/warning-alert.tsx'

type Tried = components['schemas']['TriedLayout']
type Result = Tried['results'][number]

const columns: Column<Result>[] = [
  { header: 'As printed', cell: ({ name }) => name },
  { header: 'Value', cell: ({ value, unit }) => [value, unit].filter(Boolean).join(' ') },
  { header: 'Range', cell: ({ range }) => range, isMinor: true },
  { header: 'Day', cell: ({ collectedDate }) => collectedDate, isMinor: true },
  { header: 'Read as', cell: ({ biomarkerID, number, waitsFor }) => waitsFor ?? `${biomarkerID} ${number ?? ''}` },
]

const person = { name: 'name', dateOfBirth: 'date of birth', sex: 'sex', id: 'number' } as const

/** What a template would read of a file. */
export function TriedLayout({ tried }: { tried: Tried }) {
  const { recognised, refused, lines, personRead, results, notes } = tried
  const about = personRead.map((one) => person[one]).join(', ')
  return (
    <Stack gap="sm">
      {!recognised && (
        <WarningAlert title="The file was not recognised">
          Not all texts of recognisedBy stand in it, so it was read without the template.
        </WarningAlert>
      )}
      {refused && <WarningAlert title="Nothing was read">{refused}</WarningAlert>}
      <Text>
        {lines.counted} lines look like results: {lines.assessed} would be in the report, {lines.waiting} would wait,{' '}
        {lines.dismissed} are of no result. Read of the person: {about || 'nothing'}.
      </Text>
      {notes.map((note) => (
        <Text key={note} c="dimmed">
          {note}
        </Text>
      ))}
      {results.length > 0 && (
        <DataTable
          label="What would be read"
          rows={results}
          columns={columns}
          rowKey={({ position, name, value }) => `${position} ${name} ${value}`}
          empty={{ title: 'No results', text: 'Nothing was read.' }}
        />
      )}
    </Stack>
  )
}
