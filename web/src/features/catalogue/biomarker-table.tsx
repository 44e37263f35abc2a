import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { boundsText } from '../reports/bounds-text.ts'
import type { Definition } from './definition.ts'

const confidence = { high: ['good', t('High')], medium: ['fair', t('Medium')], low: ['bad', t('Low')] } as const

/** How many rows are drawn at once: several hundred make typing in the search slow. */
const PAGE = 100

export function BiomarkerTable() {
  const [shown, show] = useState(PAGE)
  const state = useListState<{ q?: string }>(['q'])
  const biomarkers = useRead('/operator/v1/biomarkers')
  const text = (state.filters.q ?? '').toLowerCase()
  const isMeant = ({ id, label, aliases, loinc = '' }: Definition) =>
    [id, label, loinc, ...aliases].some((name) => name.toLowerCase().includes(text))
  const found = biomarkers.data?.filter(isMeant)
  return (
    <>
      <ListToolbar state={state} search={t('Name, alias or LOINC')} />
      <DataTable
        label={t('Biomarkers')}
        rows={found?.slice(0, shown)}
        error={biomarkers.error}
        retry={() => void biomarkers.refetch()}
        rowKey={({ id }) => id}
        href={({ id }) => `/operator/catalogue/${id}`}
        columns={[
          { header: t('Biomarker'), cell: ({ label }) => label },
          { header: 'LOINC', cell: ({ loinc }) => loinc ?? '–', isMinor: true },
          { header: t('Unit'), cell: ({ displayUnit }) => displayUnit },
          { header: t('Women'), cell: ({ reference }) => boundsText(reference?.F) },
          { header: t('Men'), cell: ({ reference }) => boundsText(reference?.M) },
          {
            header: t('Source'),
            cell: ({ reference, derived }) => reference?.source ?? derived?.source ?? '–',
            isMinor: true,
          },
          { header: t('Signed'), cell: ({ rangesSigned }) => (rangesSigned ? t('Yes') : t('No')), isMinor: true },
          {
            header: t('Confidence'),
            cell: (one) => <StatusDot tone={confidence[one.confidence][0]}>{confidence[one.confidence][1]}</StatusDot>,
            isMinor: true,
          },
        ]}
        empty={{
          title: t('No biomarker has that name'),
          text: t('Search for another name, an alias or a LOINC code.'),
        }}
      />
      {found && found.length > shown && (
        <Group mt="md" justify="center">
          <Text c="dimmed">{t('{shown, number} of {all, number}', { shown, all: found.length })}</Text>
          <Button variant="default" onClick={() => show(shown + PAGE)}>
            {t('Show more')}
          </Button>
        </Group>
      )}
    </>
  )
}
