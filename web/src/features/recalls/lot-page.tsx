import type { components } from '@kitlane/client'
import { Skeleton, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { kindWords, stageWords } from './labels.tsx'

type TracedKit = components['schemas']['LotTrace']['data'][number]

/** From the number of a lot to the kits that hold it. */
export function LotPage() {
  const { lot = '' } = useParams({ strict: false })
  const state = useListState()
  const params = { path: { lot }, query: state.query }
  const found = useRead('/operator/v1/lots/{lot}', { params }, { keep: true })
  const header = <PageHeader title={lot} crumbs={[['operator/lots', t('Lots')]]} />
  if (found.error)
    return (
      <>
        {header}
        <ErrorAlert error={found.error} retry={() => void found.refetch()} />
      </>
    )
  if (!found.data) return <Skeleton height={320} />
  const { lots, data, pagination } = found.data
  return (
    <>
      {header}
      <TwoColumns
        left={
          <>
            <DataTable
              label={t('Kits')}
              rows={data}
              columns={columns}
              rowKey={({ kitID, kind }) => `${kitID} ${kind}`}
              empty={{ title: t('No kits'), text: t('No kit that was packed holds it.') }}
            />
            <Pager state={state} pagination={pagination} />
          </>
        }
        right={lots.map(({ kind, subject, kits, boxesInStock, builtInto }) => (
          <Facts
            key={`${kind} ${subject}`}
            title={kindWords[kind]}
            facts={[
              [t('Of what'), subject],
              [t('Kits'), String(kits)],
              [t('Boxes in stock'), String(boxesInStock)],
              [t('Built into'), builtInto.map(({ product, lot }) => `${product} ${lot}`).join(', ') || undefined],
            ]}
          />
        ))}
      />
    </>
  )
}

const columns: Column<TracedKit>[] = [
  {
    header: t('Kit'),
    cell: ({ kitID, business }) => (
      <>
        <PageLink to={`/operator/kits/${kitID}`}>{kitID}</PageLink>
        <Text size="xs" c="dimmed">
          {business?.name}
        </Text>
      </>
    ),
  },
  { header: t('Where it is'), cell: ({ stage }) => stageWords[stage] },
  { header: t('By'), cell: ({ kind }) => kindWords[kind], isMinor: true },
]
