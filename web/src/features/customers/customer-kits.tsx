import { useRead } from '../../api/hooks.ts'
import type { Kit } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { standingOf } from '../kits/kit-standing.ts'

/** The kits that this person registered, newest first, and where each is. */
export function CustomerKits({ customerID }: { customerID: number }) {
  const path = useRealmPath()
  const { nameOf } = usePanels()
  const kits = useRead('/api/v1/kits', { params: { query: { customerID: String(customerID), size: 250 } } })
  return (
    <Section title={t('Kits')}>
      <DataTable
        label={t('Kits')}
        rows={kits.data}
        error={kits.error}
        retry={() => void kits.refetch()}
        rowKey={({ kitID }) => kitID}
        href={({ kitID }) => path('kits', kitID)}
        columns={[
          { header: t('Panel'), cell: ({ kitType }) => nameOf(kitType) },
          { header: t('Where it is'), cell: (kit) => <Standing kit={kit} /> },
          { header: t('Ordered'), cell: ({ createdDate }) => <RelativeDate value={createdDate} /> },
          { header: t('Kit'), cell: ({ kitID }) => <IdCell id={kitID} />, align: 'right', isMinor: true },
        ]}
        empty={{ title: t('No kits'), text: t('Kits appear here once this person has registered them.') }}
      />
    </Section>
  )
}

function Standing({ kit }: { kit: Kit }) {
  const { tone, label } = standingOf(kit)
  return <StatusDot tone={tone}>{label}</StatusDot>
}
