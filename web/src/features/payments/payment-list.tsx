import type { Answer, Query } from '@kitlane/client'
import { Button, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { fetchRaw } from '../../api/client.ts'
import { useRead } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import { useRealmHeader } from '../../app/realm.tsx'
import { DataTable } from '../../components/data-table.tsx'
import type { Filter } from '../../components/filter-chip.tsx'
import { Icon } from '../../components/icon.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { cardName, Money } from '../../components/money.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { saveFile } from '../../components/save-file.ts'
import { t } from '../../language/t.ts'
import { Reversals } from './reversals.tsx'

type Payment = Answer<'get', '/api/v1/payments'>['data'][number]

const purposes = {
  orders: t('Order'),
  credits: t('Credits'),
  top_up: t('Credits, by top-up'),
} as const

const statuses = {
  settling: t('Not yet answered by the bank'),
  charged: t('Paid'),
  authorised: t('Held for a bulk order'),
  declined: t('Declined'),
  released: t('Released, nothing was charged'),
} as const

const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

const filters: Filter[] = [
  { key: 'status', label: t('Status'), options: optionsOf(statuses) },
  { key: 'purpose', label: t('What for'), options: optionsOf(purposes) },
  { kind: 'text', key: 'orderID', label: t('Order ID') },
  { kind: 'dates', key: 'date', label: t('When'), from: 'startDate', to: 'endDate' },
]

/** Charges by card, each with its receipt and its credit notes to download. */
export function PaymentList() {
  const state = useListState<Query<'/api/v1/payments'>>(['status', 'purpose', 'orderID', 'startDate', 'endDate'])
  const payments = useRead('/api/v1/payments', { params: { query: state.query } }, { keep: true })
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{t('Payments and receipts')}</Title>
      <ListToolbar state={state} filters={filters} />
      <DataTable
        label={t('Payments and receipts')}
        rows={payments.data?.data}
        error={payments.error}
        retry={() => void payments.refetch()}
        rowKey={({ paymentID }) => paymentID}
        columns={[
          { header: t('When'), cell: ({ date }) => <RelativeDate value={date} /> },
          { header: t('What for'), cell: (payment) => purposes[payment.purpose] },
          { header: t('Card'), cell: ({ card }) => (card ? cardName(card) : '–'), isMinor: true },
          {
            header: t('Status'),
            cell: (payment) => (
              <>
                {statuses[payment.status]}
                <Reversals payment={payment} />
              </>
            ),
          },
          { header: t('Amount'), cell: (payment) => <Amount payment={payment} />, align: 'right' },
          { header: t('Receipt'), cell: (payment) => <Receipts payment={payment} />, hasButtons: true },
        ]}
        empty={
          state.isFiltered
            ? { title: t('No such payment'), text: t('Clear the filter to see all payments.') }
            : {
                title: t('No payments by card yet'),
                text: t('Orders and credits that are paid by card are listed here, with their receipts.'),
              }
        }
      />
      <Pager state={state} pagination={payments.data?.pagination} />
    </Stack>
  )
}

function Amount({ payment: { amount, charged, refunded, currency, status } }: { payment: Payment }) {
  return (
    <>
      <Money minor={status === 'charged' ? charged : amount} currency={currency} />
      {refunded > 0 && (
        <Text size="sm" c="dimmed">
          <Money minor={-refunded} currency={currency} />
        </Text>
      )}
    </>
  )
}

function Receipts({ payment: { paymentID, receipt, creditNotes } }: { payment: Payment }) {
  if (!receipt) return '–'
  return (
    <Stack gap={4} align="flex-start">
      <Download path={`/api/v1/payments/${paymentID}/receipt`} number={receipt.number} />
      {creditNotes.map(({ number }) => (
        <Download
          key={number}
          path={`/api/v1/payments/${paymentID}/receipt?${new URLSearchParams({ number })}`}
          number={number}
        />
      ))}
    </Stack>
  )
}

function Download({ path, number }: { path: string; number: string }) {
  const realm = useRealmHeader()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const response = await fetchRaw(realm, path, { headers: { Accept: 'application/pdf' } })
      saveFile(await response.blob(), `${number}.pdf`)
    } catch (error) {
      const title = t('The file could not be downloaded')
      notifications.show({ color: 'red', title, message: asProblem(error).message })
    }
    setBusy(false)
  }
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      loading={isBusy}
      aria-label={t('Download {number}', { number })}
      onClick={() => void save()}
      leftSection={<Icon name="download" size={14} />}
    >
      {number}
    </Button>
  )
}
