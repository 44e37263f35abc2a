import { Alert } from '@mantine/core'
import { useState } from 'react'
import { CsvSource } from '../../../components/csv-source.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { t } from '../../../language/t.ts'
import { CheckStep } from './check-step.tsx'
import { CsvProblem } from './csv.ts'
import { fields, guessMapping, type Mapping, rememberMapping } from './fields.ts'
import { MapStep } from './map-step.tsx'
import type { Row } from './rows.ts'
import { readSource, type Source } from './source.ts'

const TEMPLATE = { name: 'orders.csv', columns: fields.map(({ name }) => name) }

function FileStep({ onSource }: { onSource: (source: Source) => void }) {
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

type Step =
  | { name: 'file' }
  | { name: 'map'; source: Source; mapping: Mapping }
  | { name: 'check'; rows: Row[]; source: Source; mapping: Mapping }

const mapStep = (source: Source): Step => ({ name: 'map', source, mapping: guessMapping(source.sheet.header) })

/** File → columns → check and order. */
export function NewBulkPage() {
  const [step, setStep] = useState<Step>({ name: 'file' })
  return (
    <>
      <PageHeader
        title={t('Order by CSV')}
        crumbs={[['bulk', t('Bulk orders')]]}
        sentence={t('One row for each person. Nothing is ordered until you have seen what it costs.')}
      />
      {step.name === 'file' && <FileStep onSource={(source) => setStep(mapStep(source))} />}
      {step.name === 'map' && (
        <MapStep
          // Another encoding may name other columns.
          key={step.source.encoding}
          source={step.source}
          mapping={step.mapping}
          onEncoding={(encoding) => setStep(mapStep(readSource('', step.source.bytes, encoding)))}
          onBack={() => setStep({ name: 'file' })}
          onRows={(rows, mapping) => {
            rememberMapping(step.source.sheet.header, mapping)
            setStep({ name: 'check', rows, source: step.source, mapping })
          }}
        />
      )}
      {step.name === 'check' && (
        <CheckStep
          initial={step.rows}
          onBack={() => setStep({ name: 'map', source: step.source, mapping: step.mapping })}
        />
      )}
    </>
  )
}
