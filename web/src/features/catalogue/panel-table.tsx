import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { PanelAges } from './panel-ages.tsx'
import { PanelInstructions } from './panel-instructions.tsx'
import { PanelPromise } from './panel-promise.tsx'

export function PanelTable() {
  const panels = useRead('/operator/v1/panels')
  return (
    <DataTable
      label="Panels"
      rows={panels.data}
      error={panels.error}
      retry={() => void panels.refetch()}
      rowKey={({ kitType }) => kitType}
      columns={[
        {
          header: 'Panel',
          cell: ({ name, kitType }) => (
            <>
              <Text size="sm">{name}</Text>
              <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {kitType}
              </Text>
            </>
          ),
        },
        { header: 'Ages', cell: (panel) => <PanelAges panel={panel} /> },
        { header: 'Report promised in', cell: (panel) => <PanelPromise panel={panel} /> },
        {
          header: 'Instructions',
          cell: ({ kitType, name }) => <PanelInstructions kitType={kitType} name={name} />,
        },
        { header: 'Biomarkers', align: 'right', cell: ({ biomarkers }) => biomarkers.length },
        { header: 'Businesses', align: 'right', cell: ({ businesses }) => businesses },
      ]}
      empty={{ title: 'No panels', text: 'The command line adds panels to the catalogue.' }}
    />
  )
}
