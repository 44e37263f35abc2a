import { Text } from '@mantine/core'
import type { Kit } from '../../api/shapes.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { standingOf } from './kit-standing.ts'

interface OperatorKitsProps {
  kits: readonly Kit[]
  nameOf: (kitType: string) => string
  /** The text of an empty list. */
  empty: string
}

/** Kits of an order or a person, each with its page of the operator. */
export function OperatorKits({ kits, nameOf, empty }: OperatorKitsProps) {
  const { readsKits } = useOperatorRoles()
  if (kits.length === 0) return <Text c="dimmed">{empty}</Text>
  const columns: Column<Kit>[] = [
    { header: t('Panel'), cell: ({ kitType }) => nameOf(kitType) },
    {
      header: t('Where it is'),
      cell: (kit) => <StatusDot tone={standingOf(kit).tone}>{standingOf(kit).label}</StatusDot>,
    },
    {
      header: t('Last change'),
      cell: ({ lastUpdatedDate }) => <RelativeDate value={lastUpdatedDate} />,
      isMinor: true,
    },
    { header: t('Kit'), cell: ({ kitID }) => <IdCell id={kitID} />, align: 'right' },
  ]
  return (
    <DataTable
      label={t('Kits')}
      rows={kits}
      columns={columns}
      rowKey={({ kitID }) => kitID}
      {...(readsKits && { href: ({ kitID }: Kit) => `/operator/kits/${kitID}` })}
      empty={{ title: t('No kits yet'), text: empty }}
    />
  )
}
