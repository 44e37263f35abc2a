import type { Answer, Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { ProductForm } from './product-form.tsx'
import { ScanForm } from './scan-form.tsx'

type Level = Answer<'get', '/operator/v1/stock/levels'>['data'][number]

/** What is in stock, and the forms that change it by scanning. */
export function StockPage() {
  const state = useListState<Query<'/operator/v1/stock/levels'>>(['place', 'kitType'])
  const levels = useRead('/operator/v1/stock/levels', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Stock')}
        sentence={t('Sealed boxes with serial numbers. The station Pack puts one on a kit.')}
        actions={<ProductForm />}
      />
      <Section title={t('In stock')}>
        <DataTable
          label={t('In stock')}
          rows={levels.data?.data}
          error={levels.error}
          retry={() => void levels.refetch()}
          columns={columns}
          rowKey={({ place, gtin }) => `${place} ${gtin}`}
          empty={{
            title: t('Nothing is in stock'),
            text: t('Add the product with its GTIN first. Then scan its boxes below to receive them.'),
          }}
        />
        <Pager state={state} pagination={levels.data?.pagination} />
      </Section>
      <ScanForm />
    </>
  )
}

const isPast = (day = ''): boolean => day !== '' && day < new Date().toISOString().slice(0, 10)

const columns: Column<Level>[] = [
  { header: t('Place'), cell: ({ place }) => place },
  {
    header: t('Kit type'),
    cell: ({ kitType, gtin }) => (
      <>
        {kitType}
        <Text size="xs" c="dimmed">
          {gtin}
        </Text>
      </>
    ),
  },
  { header: t('Boxes'), align: 'right', cell: ({ inStock }) => inStock },
  {
    header: t('Can be packed'),
    align: 'right',
    cell: ({ usable, isLow, reorderPoint, soonestExpiry }) => (
      <>
        {usable} {isLow && <StatusDot tone="fair">{t('Below {count}', { count: reorderPoint ?? 0 })}</StatusDot>}
        {isPast(soonestExpiry) && <StatusDot tone="bad">{t('Some have expired')}</StatusDot>}
      </>
    ),
  },
  { header: t('First expiry'), cell: ({ soonestExpiry }) => soonestExpiry && dayOf(soonestExpiry), isMinor: true },
  {
    header: t('Lots'),
    cell: ({ lots }) => lots.map(({ lot, inStock }) => `${lot} (${inStock})`).join(', '),
    isMinor: true,
  },
]
