import { Alert } from '@mantine/core'
import { useState } from 'react'
import { CsvSource } from '../../../components/csv-source.tsx'
import { CsvProblem } from './csv.ts'
import { fields } from './fields.ts'
import { readSource, type Source } from './source.ts'

const TEMPLATE = { name: 'orders.csv', columns: fields.map(({ name }) => name) }

export function FileStep({ onSource }: { onSource: (source: Source) => void }) {
  const [problem, setProblem] = useState<string>()
  const take = (text: string, bytes?: Uint8Array) => {
    try {
      onSource(readSource(text, bytes))
    } catch (error) {
      if (!(error instanceof CsvProblem)) throw error
      setProblem(error.message)
    }
  }
  const failure = problem && (
    <Alert color="red" variant="light" role="alert">
      {problem}
    </Alert>
  )
  return <CsvSource onText={take} template={TEMPLATE} failure={failure} />
}
