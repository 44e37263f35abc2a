import { Alert, Button, Group } from '@mantine/core'
import { t } from '../../../language/t.ts'
import type { Row } from './rows.ts'

interface DuplicatesNoteProps {
  rows: Row[]
  /** From the index of a row to the index of the row that it repeats. */
  duplicates: ReadonlyMap<number, number>
  onChange: (rows: Row[]) => void
}

/** Rows that send a person the same panel twice: allowed, because it may be intended, but pointed out. */
export function DuplicatesNote({ rows, duplicates, onChange }: DuplicatesNoteProps) {
  const count = duplicates.size
  if (count === 0) return null
  return (
    <Alert color="orange" variant="light" title={t('The same person and panel again')}>
      <Group justify="space-between">
        <span>
          {t(
            '{count, plural, one {# row repeats an earlier one} other {# rows repeat earlier ones}}. If that is intended, continue: each row sends its own kits.',
            { count },
          )}
        </span>
        <Button size="xs" variant="default" onClick={() => onChange(rows.filter((_, place) => !duplicates.has(place)))}>
          {t('Remove the {count, plural, one {repeated row} other {# repeated rows}}', { count })}
        </Button>
      </Group>
    </Alert>
  )
}
