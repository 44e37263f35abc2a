import { useState } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import { CheckStep } from './check-step.tsx'
import type { Sheet } from './csv.ts'
import { guessMapping, type Mapping, rememberMapping } from './fields.ts'
import { FileStep } from './file-step.tsx'
import { MapStep } from './map-step.tsx'
import type { Row } from './rows.ts'

type Step =
  | { name: 'file' }
  | { name: 'map'; sheet: Sheet; mapping: Mapping }
  | { name: 'check'; rows: Row[]; sheet: Sheet; mapping: Mapping }

/** File → columns → check and order. */
export function NewBulkPage() {
  const [step, setStep] = useState<Step>({ name: 'file' })
  return (
    <>
      <PageHeader
        title="Order by CSV"
        crumbs={[['bulk', 'Bulk orders']]}
        sentence="One row for each person. Nothing is ordered until you have seen what it costs."
      />
      {step.name === 'file' && (
        <FileStep onSheet={(sheet) => setStep({ name: 'map', sheet, mapping: guessMapping(sheet.header) })} />
      )}
      {step.name === 'map' && (
        <MapStep
          sheet={step.sheet}
          mapping={step.mapping}
          onBack={() => setStep({ name: 'file' })}
          onRows={(rows, mapping) => {
            rememberMapping(step.sheet.header, mapping)
            setStep({ name: 'check', rows, sheet: step.sheet, mapping })
          }}
        />
      )}
      {step.name === 'check' && (
        <CheckStep
          initial={step.rows}
          onBack={() => setStep({ name: 'map', sheet: step.sheet, mapping: step.mapping })}
        />
      )}
    </>
  )
}
