import { Alert } from '@mantine/core'
import { useState } from 'react'
import { CsvSource } from '../../components/csv-source.tsx'
import { readCsv, type Sheet } from './csv.ts'
import { fields } from './fields.ts'

const MOST_ROWS = 10_000
const TEMPLATE = { name: 'orders.csv', columns: fields.map(({ name }) => name) }

export function FileStep({ onSheet }: { onSheet: (sheet: Sheet) => void }) {
  const [problem, setProblem] = useState<string>()
  const take = (text: string) => {
    const sheet = readCsv(text)
    if (sheet.rows.length === 0)
      return setProblem('There is no row below the header. The first line names the columns.')
    if (sheet.rows.length > MOST_ROWS) {
      return setProblem(
        `${sheet.rows.length} rows are too many for one order. Split the file: up to ${MOST_ROWS} rows each.`,
      )
    }
    onSheet(sheet)
  }
  const failure = problem && (
    <Alert color="red" variant="light" role="alert">
      {problem}
    </Alert>
  )
  return <CsvSource onText={take} template={TEMPLATE} failure={failure} />
}
