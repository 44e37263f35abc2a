import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { CsvSource } from '../../components/csv-source.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { t } from '../../language/t.ts'
import { CsvCounts, CsvRows } from './ship-by-csv-rows.tsx'

const PATH = '/operator/v1/fulfilment/shipments/csv'
const TEMPLATE = { name: 'shipments.csv', columns: ['kitID', 'carrier', 'outbound', 'return', 'returnCarrier'] }

const requestOf = (text: string, dryRun: 'true' | 'false') => ({
  params: { query: { dryRun } },
  body: text,
  bodySerializer: (body: string) => body,
  headers: { 'Content-Type': 'text/csv' },
})

/** File → preview → result. */
export function ShipByCsvPage() {
  const [text, setText] = useState('')
  const preview = useWrite('post', PATH)
  const shipment = useWrite('post', PATH)
  const look = (file: string) => {
    setText(file)
    preview.mutate(requestOf(file, 'true'))
  }
  const ship = () => shipment.mutate(requestOf(text, 'false'))
  const restart = () => {
    preview.reset()
    shipment.reset()
  }
  const answer = shipment.data ?? preview.data
  const count = preview.data?.shipped ?? 0

  return (
    <>
      <PageHeader
        title={t('Ship by CSV')}
        crumbs={[['pack', t('Pack')]]}
        sentence={t('One row for each packed kit, 2,000 at most. Nothing is shipped until you have seen the preview.')}
      />
      {answer === undefined && (
        <CsvSource
          onText={look}
          template={TEMPLATE}
          isBusy={preview.isPending}
          failure={preview.error && <ErrorAlert error={preview.error} />}
        />
      )}
      {answer && (
        <Stack gap="md">
          <CsvCounts answer={answer} />
          {shipment.error && <ErrorAlert error={shipment.error} />}
          <Group>
            {answer.dryRun && count > 0 && (
              <Button onClick={ship} loading={shipment.isPending}>
                {t('Ship {count, plural, one {# kit} other {# kits}}', { count })}
              </Button>
            )}
            <Button variant="default" onClick={restart} disabled={shipment.isPending}>
              {t('Choose another file')}
            </Button>
            {!answer.dryRun && <PageLink to="/operator/pack">{t('Back to packing')}</PageLink>}
          </Group>
          <CsvRows answer={answer} />
        </Stack>
      )}
    </>
  )
}
