import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { boundsText } from '../reports/result-table.tsx'
import type { Definition } from './definition.ts'

const confidence = { high: ['good', 'High'], medium: ['fair', 'Medium'], low: ['bad', 'Low'] } as const

export function BiomarkerTable() {
  const state = useListState<{ q?: string }>(['q'])
  const biomarkers = useRead('/operator/v1/biomarkers')
  const text = (state.filters.q ?? '').toLowerCase()
  const isMeant = ({ id, label, aliases, loinc = '' }: Definition) =>
    [id, label, loinc, ...aliases].some((name) => name.toLowerCase().includes(text))
  return (
    <>
      <ListToolbar state={state} search="Name, alias or LOINC" />
      <DataTable
        label="Biomarkers"
        rows={biomarkers.data?.filter(isMeant)}
        error={biomarkers.error}
        retry={() => void biomarkers.refetch()}
        rowKey={({ id }) => id}
        href={({ id }) => `/operator/catalogue/${id}`}
        columns={[
          { header: 'Biomarker', cell: ({ label }) => label },
          { header: 'LOINC', cell: ({ loinc }) => loinc ?? '–', isMinor: true },
          { header: 'Unit', cell: ({ displayUnit }) => displayUnit },
          { header: 'Women', cell: ({ reference }) => boundsText(reference?.F) },
          { header: 'Men', cell: ({ reference }) => boundsText(reference?.M) },
          {
            header: 'Source',
            cell: ({ reference, derived }) => reference?.source ?? derived?.source ?? '–',
            isMinor: true,
          },
          {
            header: 'Confidence',
            cell: (one) => <StatusDot tone={confidence[one.confidence][0]}>{confidence[one.confidence][1]}</StatusDot>,
            isMinor: true,
          },
        ]}
        empty={{ title: 'No biomarker has that name', text: 'Search for another name, an alias or a LOINC code.' }}
      />
    </>
  )
}
