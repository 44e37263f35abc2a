import { ActionIcon, Group, Pagination, Paper, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/icon.tsx'
import { t } from '../../../language/t.ts'
import css from './bulk.module.css'
import { problemText } from './failed-rows-csv.ts'
import { type FieldName, fields } from './fields.ts'
import type { RowProblem } from './row-problems.ts'
import type { Row } from './rows.ts'

type Columns = readonly (typeof fields)[number][]
interface RowsTableProps {
  rows: Row[]
  /** By the index of the row in `rows`. */
  problems: ReadonlyMap<number, RowProblem[]>
  /** From the index of a row to the index of the row that it repeats. */
  duplicates: ReadonlyMap<number, number>
  onChange: (rows: Row[]) => void
}

// With 13 inputs in each row, more rows make the page slow.
const PAGE = 25

/** Every cell can be edited. Wrong ones are red, with the reason below the row. */
export function RowsTable({ rows, problems, duplicates, onChange }: RowsTableProps) {
  const [isOnlyFaulty, setOnlyFaulty] = useState(false)
  const [page, setPage] = useState(1)
  // Optional columns that are empty in every row would only make the table wider.
  const faulty = new Set([...problems.values()].flat().map(({ field }) => field))
  const columns = fields.filter(
    ({ name, isNeeded }) => isNeeded || faulty.has(name) || rows.some((row) => row[name] !== ''),
  )
  const numbered = rows.map((row, index) => ({ row, index }))
  const shown = isOnlyFaulty ? numbered.filter(({ index }) => problems.has(index)) : numbered
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  const at = Math.min(page, pages)
  const edit = (index: number, name: FieldName, value: string) =>
    onChange(rows.map((row, place) => (place === index ? { ...row, [name]: value, fault: undefined } : row)))
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Switch
          label={t('Only rows with errors ({count, number})', { count: problems.size })}
          checked={isOnlyFaulty}
          onChange={(event) => setOnlyFaulty(event.currentTarget.checked)}
        />
        {pages > 1 && <Pagination size="sm" total={pages} value={at} onChange={setPage} />}
      </Group>
      <Paper withBorder className={css.sheet}>
        <table aria-label={t('Rows to order')}>
          <thead>
            <tr>
              <th>{t('Row')}</th>
              {columns.map(({ name, label }) => (
                <th key={name}>{label}</th>
              ))}
              <th aria-label={t('Remove')} />
            </tr>
          </thead>
          <tbody>
            {shown.slice((at - 1) * PAGE, at * PAGE).map(({ row, index }) => (
              <SheetRow
                key={index}
                row={row}
                columns={columns}
                number={index + 1}
                problems={problems.get(index) ?? []}
                repeats={duplicates.get(index)}
                onEdit={(name, value) => edit(index, name, value)}
                onRemove={() => onChange(rows.filter((_, place) => place !== index))}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <Text p="md" c="dimmed">
            {t('No row has an error.')}
          </Text>
        )}
      </Paper>
    </div>
  )
}

interface SheetRowProps {
  row: Row
  columns: Columns
  number: number
  problems: readonly RowProblem[]
  /** The index of the row that it repeats. */
  repeats?: number
  onEdit: (name: FieldName, value: string) => void
  onRemove: () => void
}

function SheetRow({ row, columns, number, problems, repeats, onEdit, onRemove }: SheetRowProps) {
  const messages = new Map(problems.map(({ field, message }) => [field, message]))
  return (
    <>
      <tr>
        <td className={css.number}>{number}</td>
        {columns.map(({ name, label }) => (
          <td key={name}>
            <input
              className={css.cell}
              data-field={name}
              aria-label={t('{label}, row {number}', { label, number })}
              aria-invalid={messages.has(name)}
              title={messages.get(name)}
              value={row[name]}
              onChange={(event) => onEdit(name, event.currentTarget.value)}
            />
          </td>
        ))}
        <td>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={onRemove}
            aria-label={t('Remove row {number}', { number })}
            m={4}
          >
            <Icon name="cross" size={14} />
          </ActionIcon>
        </td>
      </tr>
      {problems.length > 0 && (
        <tr>
          <td style={{ border: 0 }} />
          <td colSpan={columns.length + 1} className={css.error} style={{ border: 0 }}>
            {problems.map(problemText).join(' · ')}
          </td>
        </tr>
      )}
      {repeats !== undefined && (
        <tr>
          <td style={{ border: 0 }} />
          <td colSpan={columns.length + 1} className={css.note} style={{ border: 0 }}>
            {t('The same person and panel as row {number}', { number: repeats + 1 })}
          </td>
        </tr>
      )}
    </>
  )
}
