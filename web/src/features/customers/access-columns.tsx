import { Text } from '@mantine/core'
import type { PersonalAccess } from '../../api/shapes.ts'
import type { Column } from '../../components/data-table.tsx'
import { dayOf, exactOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

export const accessColumns: Column<PersonalAccess>[] = [
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
  email: t('E-mail'),
}

const didWords: Record<PersonalAccess['did'], string> = {
  read: t('Read'),
  listed: t('Shown in a list'),
  exported: t('Exported to a file'),
  changed: t('Changed or processed'),
  refused: t('Refused'),
}
