import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { Facts } from '../../components/facts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { dayOf, RelativeDate } from '../../components/relative-date.tsx'
import { TwoColumns } from '../../components/two-columns.tsx'
import { t } from '../../language/t.ts'
import { OfOperator } from '../audit/names.tsx'
import { kindWords, type Movement, reasonWords, stateWords } from './labels.ts'

/** A sealed box: where it is, and all that happened to it. */
export function BoxPage() {
  const { code = '' } = useParams({ strict: false })
  const found = useRead('/operator/v1/stock/boxes/{code}', { params: { path: { code } } })
  if (found.error && !found.data) return <ErrorAlert error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Skeleton height={320} />
  const { box, movements } = found.data
  return (
    <>
      <PageHeader
        title={t('Box {serial}', { serial: box.serial })}
        crumbs={[['operator/stock', t('Stock')]]}
        beside={stateWords[box.state]}
      />
      <TwoColumns
        left={
          <DataTable
            label={t('What happened')}
            rows={movements}
            columns={columns}
            rowKey={({ at, kind }) => `${at} ${kind}`}
            empty={{ title: t('Nothing happened'), text: '' }}
          />
        }
        right={
          <Facts
            title={t('Box')}
            facts={[
              [t('Kit type'), box.kitType],
              [t('Place'), box.place],
              [t('Kit'), box.kitID && <PageLink to={`/operator/kits/${box.kitID}`}>{box.kitID}</PageLink>],
              [t('GTIN'), box.gtin],
              [t('Lot'), box.lot],
              [t('Expires'), dayOf(box.expiryDate)],
              [t('Register by'), box.registerBy && dayOf(box.registerBy)],
            ]}
          />
        }
      />
    </>
  )
}

const columns = [
  {
    header: t('What happened'),
    cell: ({ kind, reason, note }: Movement) =>
      [kindWords[kind], reason && reasonWords[reason], note].filter(Boolean).join(', '),
  },
  { header: t('Place'), cell: ({ place }: Movement) => place },
  { header: t('By'), cell: ({ by }: Movement) => <OfOperator actor={by} />, isMinor: true },
  { header: t('When'), cell: ({ at }: Movement) => <RelativeDate value={at} /> },
]
