import { useState } from 'react'
import { PageHeader } from '../../../components/page-header.tsx'
import { t } from '../../../language/t.ts'
import { CheckStep } from './check-step.tsx'
import { guessMapping, type Mapping, rememberMapping } from './fields.ts'
import { FileStep } from './file-step.tsx'
import { MapStep } from './map-step.tsx'
import type { Row } from './rows.ts'
import { readSource, type Source } from './source.ts'

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
