import type { Query } from '@kitlane/client'
import { Group, Select, Stack, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { ScanFeedbackPanel } from '../../components/station/scan-feedback.tsx'
import { ScanField, useScanField } from '../../components/station/scan-field.tsx'
import css from '../../components/station/station.module.css'
import { t } from '../../language/t.ts'
import { AddressText } from '../orders/address-text.tsx'
import { BoxState } from './box-state.tsx'
import { type Box, outcomeOptions, stateOptions } from './labels.ts'
import { SendAgain } from './send-again.tsx'
import { type Found, useCameBack } from './use-came-back.ts'

// The service keeps the carrier as it is sent: only what is read is translated.
const CARRIERS = ['UPS', 'USPS', 'FedEx', 'DHL', { value: 'Other', label: t('Other') }]
const FOUND = [
  { value: 'returnedToSender', label: t('It came back') },
  { value: 'refused', label: t('It was refused') },
  { value: 'damaged', label: t('It is damaged') },
]

/** The station and the queue for boxes that did not reach their recipient. */
export function CameBackPage() {
  const [outcome, setOutcome] = useState<Found>('returnedToSender')
  const [carrier, setCarrier] = useLocalStorage({ key: 'kitlane-carrier', defaultValue: 'UPS' })
  const station = useCameBack(outcome, carrier)
  const field = useScanField()
  const back = () => field.current?.focus()
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') station.leave()
    return key === 'Escape'
  }
  return (
    <>
      <div className={css.station}>
        <PageHeader
          title={t('Came back')}
          sentence={t('Scan each box that came back. If it goes out again, put a new label on it and scan that.')}
        />
        {station.next?.recipient && (
          <section className={css.kit} aria-label={t('Send it again')}>
            <div className={css.code}>{station.next.kitID}</div>
            <div>
              <Text fw={600}>{station.next.recipient.name}</Text>
              <AddressText address={station.next.recipient.address} />
            </div>
          </section>
        )}
        <ScanField
          label={station.next ? t('Scan the new label') : t('Scan')}
          fieldRef={field}
          onScan={station.scan}
          onKey={onKey}
          isBusy={station.isBusy}
        />
        <ScanFeedbackPanel feedback={station.feedback} />
        <Group gap="sm" mb="lg">
          <Select
            label={t('What happened to it')}
            data={FOUND}
            value={outcome}
            allowDeselect={false}
            onChange={(value) => value && setOutcome(value as Found)}
            onDropdownClose={back}
          />
          <Select
            label={t('Carrier, if the number does not identify one')}
            data={CARRIERS}
            value={carrier}
            onChange={(value) => value && setCarrier(value)}
            onDropdownClose={back}
          />
        </Group>
      </div>
      <Queue />
    </>
  )
}

function Queue() {
  const state = useListState<Query<'/operator/v1/undelivered'>>(['state', 'outcome', 'businessID'])
  const boxes = useRead('/operator/v1/undelivered', { params: { query: state.query } }, { keep: true })
  return (
    <Section title={t('Boxes that did not reach their recipient')}>
      <ListToolbar
        state={state}
        filters={[
          { key: 'state', label: t('Now'), options: stateOptions },
          { key: 'outcome', label: t('What happened'), options: outcomeOptions },
        ]}
      />
      <DataTable
        label={t('Boxes that did not reach their recipient')}
        rows={boxes.data?.data}
        error={boxes.error}
        retry={() => void boxes.refetch()}
        columns={columns}
        rowKey={({ kitID }) => kitID}
        empty={{ title: t('No box waits'), text: t('Boxes that do not reach their recipient are listed here.') }}
      />
      <Pager state={state} pagination={boxes.data?.pagination} />
    </Section>
  )
}

const columns: Column<Box>[] = [
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
  { header: t('What happened'), cell: (box) => <BoxState box={box} /> },
  { header: t('Since'), cell: ({ since }) => <RelativeDate value={since} />, isMinor: true },
  {
    header: t('What to do'),
    hasButtons: true,
    cell: (box) => (
      <Stack gap="xs" align="flex-start">
        {box.todo}
        <Decide box={box} />
      </Stack>
    ),
  },
]

/** For a recipient who calls the operator. */
function Decide({ box: { kitID, orderID, choices, recipient } }: { box: Box }) {
  const choose = useWrite('post', '/operator/v1/kits/{kitID}/undelivered')
  if (!choices.includes('sendAgain') || !recipient) return null
  return (
    <SendAgain
      choice="sendAgain"
      address={recipient.address}
      orderID={orderID}
      isQuiet
      save={(recipientAddress) =>
        choose.mutateAsync({
          params: { path: { kitID } },
          body: { choice: 'sendAgain', ...(recipientAddress && { recipientAddress }) },
        })
      }
    />
  )
}
