import { SegmentedControl } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useSearchState } from '../../app/search.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { t } from '../../language/t.ts'
import { Approval } from './approval.tsx'
import { BiomarkerTable } from './biomarker-table.tsx'
import { PanelTable } from './panel-table.tsx'
import { SignRanges } from './sign-ranges.tsx'

export function CataloguePage() {
  const [search, change] = useSearchState()
  const biomarkers = useRead('/operator/v1/biomarkers')
  const tab = search.tab === 'panels' ? 'panels' : 'biomarkers'
  return (
    <>
      <PageHeader
        title={t('Catalogue')}
        sentence={t('What is measured, in which unit, and the ranges that results are assessed by.')}
        actions={<SignRanges />}
      />
      {biomarkers.data?.some(({ rangesSigned }) => !rangesSigned) && <Approval />}
      <SegmentedControl
        aria-label={t('Part of the catalogue')}
        mb="md"
        value={tab}
        onChange={(value) => change({ tab: value === 'panels' ? value : undefined })}
        data={[
          { value: 'biomarkers', label: t('Biomarkers') },
          { value: 'panels', label: t('Panels') },
        ]}
      />
      {tab === 'panels' ? <PanelTable /> : <BiomarkerTable />}
    </>
  )
}
