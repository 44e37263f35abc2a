import { ActionIcon, Group, Pagination, Paper, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import css from './bulk.module.css'
import { type FieldName, fields } from './fields.ts'
import type { Row } from './rows.ts'

type Columns = readonly (typeof fields)[number][]
type Errors = Map<number, { message: string; path?: string }[]>

interface RowsTableProps {
  rows: Row[]
  /** By the row's place in `rows`. */
  errors: Errors
  onChange: (rows: Row[]) => void
}

// As many inputs as a page stays quick with: 13 in each row.
const PAGE = 25

/** Every cell can be edited; what is wrong is red, with the reason below the row. */
export function RowsTable({ rows, errors, onChange }: RowsTableProps) {
  const [isOnlyFaulty, setOnlyFaulty] = useState(false)
  const [page, setPage] = useState(1)
  // What is optional and empty in every row only makes the table wide.
  const columns = fields.filter(({ name, isNeeded }) => isNeeded || rows.some((row) => row[name] !== ''))
  const numbered = rows.map((row, index) => ({ row, index }))
  const shown = isOnlyFaulty ? numbered.filter(({ index }) => errors.has(index)) : numbered
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  const at = Math.min(page, pages)
  const edit = (index: number, name: FieldName, value: string) =>
    onChange(rows.map((row, place) => (place === index ? { ...row, [name]: value } : row)))
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <Switch
          label={`Only rows with errors (${errors.size})`}
          checked={isOnlyFaulty}
          onChange={(event) => setOnlyFaulty(event.currentTarget.checked)}
        />
        {pages > 1 && <Pagination size="sm" total={pages} value={at} onChange={setPage} />}
      </Group>
      <Paper withBorder className={css.sheet}>
        <table aria-label="Rows to order">
          <thead>
            <tr>
              <th>Row</th>
              {columns.map(({ name, label }) => (
                <th key={name}>{label}</th>
              ))}
              <th aria-label="Remove" />
            </tr>
          </thead>
          <tbody>
            {shown.slice((at - 1) * PAGE, at * PAGE).map(({ row, index }) => (
              <SheetRow
                key={index}
                row={row}
                columns={columns}
                number={index + 1}
                errors={errors.get(index) ?? []}
                onEdit={(name, value) => edit(index, name, value)}
                onRemove={() => onChange(rows.filter((_, place) => place !== index))}
              />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && (
          <Text p="md" c="dimmed">
            No row has an error.
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
  errors: { message: string; path?: string }[]
  onEdit: (name: FieldName, value: string) => void
  onRemove: () => void
}

function SheetRow({ row, columns, number, errors, onEdit, onRemove }: SheetRowProps) {
  const problems = new Map(errors.map(({ path, message }) => [path?.split('.').at(-1), message]))
  return (
    <>
      <tr>
        <td className={css.number}>{number}</td>
        {columns.map(({ name, label }) => (
          <td key={name}>
            <input
              className={css.cell}
              data-field={name}
              aria-label={`${label}, row ${number}`}
              aria-invalid={problems.has(name)}
              title={problems.has(name) ? explain(name, problems.get(name) ?? '') : undefined}
              value={row[name]}
              onChange={(event) => onEdit(name, event.currentTarget.value)}
            />
          </td>
        ))}
        <td>
          <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove row ${number}`} m={4}>
            <Icon name="cross" size={14} />
          </ActionIcon>
        </td>
      </tr>
      {errors.length > 0 && (
        <tr>
          <td style={{ border: 0 }} />
          <td colSpan={columns.length + 1} className={css.error} style={{ border: 0 }}>
            {errors.map(({ path, message }) => said(path, message)).join(' · ')}
          </td>
        </tr>
      )}
    </>
  )
}

function said(path: string | undefined, message: string): string {
  const field = fields.find(({ name }) => name === path?.split('.').at(-1))
  return field ? `${field.label}: ${explain(field.name, message)}` : message
}

const wanted: Partial<Record<FieldName, string>> = {
  email: 'this is no e-mail address',
  quantity: 'a whole number from 1 to 1,000',
  country: 'two letters, such as US',
}

/** The validator's sentence in the words of whoever made the list. */
function explain(field: FieldName, message: string): string {
  if (/received undefined/.test(message)) return 'is missing'
  return wanted[field] ?? message
}
