import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { t } from '../../language/t.ts'
import { questionName } from '../kits/sample-words.ts'
import { PanelAges } from './panel-ages.tsx'
import { PanelInstructions } from './panel-instructions.tsx'
import { PanelOffer } from './panel-offer.tsx'
import { PanelPromise } from './panel-promise.tsx'

export function PanelTable() {
  const panels = useRead('/operator/v1/panels')
  return (
    <DataTable
      label={t('Panels')}
      rows={panels.data}
      error={panels.error}
      retry={() => void panels.refetch()}
      rowKey={({ kitType }) => kitType}
      columns={[
        {
          header: t('Panel'),
          cell: ({ name, kitType }) => (
            <>
              <Text size="sm">{name}</Text>
              <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {kitType}
              </Text>
            </>
          ),
        },
        { header: t('Ages'), cell: (panel) => <PanelAges panel={panel} /> },
        { header: t('Offered in'), cell: (panel) => <PanelOffer panel={panel} /> },
        { header: t('Report promised in'), cell: (panel) => <PanelPromise panel={panel} /> },
        {
          header: t('Questions'),
          cell: ({ questions = [] }) => <Text size="sm">{questions.map(questionName).join(', ')}</Text>,
        },
        {
          header: t('Instructions'),
          cell: ({ kitType, name }) => <PanelInstructions kitType={kitType} name={name} />,
        },
        { header: t('Biomarkers'), align: 'right', cell: ({ biomarkers }) => biomarkers.length },
        { header: t('Businesses'), align: 'right', cell: ({ businesses }) => businesses },
      ]}
      empty={{ title: t('No panels'), text: t('The command line adds panels to the catalogue.') }}
    />
  )
}
