import type { Answer, Query } from '@kitlane/client'
import { Button, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { useOperatorRoles } from '../../app/permissions.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { WarehouseForm, WarehouseSection } from './warehouse-form.tsx'

type Listed = Answer<'get', '/operator/v1/warehouse-orders'>['data'][number]

/** Kits that warehouses pack: those that need a person, unless all are asked for. Below, the warehouses. */
export function WarehousesPage() {
  const state = useListState<Query<'/operator/v1/warehouse-orders'>>(['needsAttention', 'state', 'kitID'])
  const isAll = state.filters.needsAttention === 'false' || state.filters.state !== undefined
  const query = { ...state.query, needsAttention: isAll ? ('false' as const) : ('true' as const) }
  const orders = useRead('/operator/v1/warehouse-orders', { params: { query } }, { keep: true })
  const warehouses = useRead('/operator/v1/warehouses', {}, { every: 5000 })
  const { isAdmin } = useOperatorRoles()
  return (
    <>
      <PageHeader
        title={t('Warehouses')}
        sentence={t('Kits that ShipStation or ShipBob packs for you. They are not packed at your own bench.')}
      />
      <SegmentedControl
        mb="sm"
        aria-label={t('Which kits are listed')}
        value={isAll ? 'all' : 'attention'}
        onChange={(value) => state.filter({ state: undefined, needsAttention: value === 'all' ? 'false' : undefined })}
        data={[
          { value: 'attention', label: t('Needs a person') },
          { value: 'all', label: t('All') },
        ]}
      />
      <ListToolbar state={state} filters={filters} />
      <DataTable
        label={t('Kits at warehouses')}
        rows={orders.data?.data}
        error={orders.error}
        retry={() => void orders.refetch()}
        columns={columns}
        rowKey={({ kitID }) => kitID}
        empty={isAll ? noKit : nothingToDo}
      />
      <Pager state={state} pagination={orders.data?.pagination} />
      <Stack gap="lg" mt="xl" maw={800}>
        {warehouses.error && !warehouses.data && <ErrorAlert error={warehouses.error} />}
        {warehouses.data?.map((warehouse) => (
          <WarehouseSection key={warehouse.warehouseID} warehouse={warehouse} />
        ))}
        {isAdmin && warehouses.data && (
          <Section title={t('A new warehouse')}>
            <WarehouseForm key={warehouses.data.length} />
          </Section>
        )}
      </Stack>
    </>
  )
}

const states: Record<Listed['state'], { tone: 'good' | 'fair' | 'bad' | 'idle'; label: string }> = {
  queued: { tone: 'fair', label: t('Being handed over') },
  sent: { tone: 'good', label: t('At the warehouse') },
  canceling: { tone: 'fair', label: t('Being canceled there') },
  refused: { tone: 'bad', label: t('Not at the warehouse') },
  notCanceled: { tone: 'bad', label: t('Not canceled') },
  notRecorded: { tone: 'bad', label: t('Left, and not recorded') },
  shipped: { tone: 'good', label: t('Shipped') },
  canceled: { tone: 'idle', label: t('Canceled') },
  released: { tone: 'idle', label: t('Released to your own bench') },
}
const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))
const filters = [{ key: 'state', label: t('State'), options: stateOptions }] as const
const nothingToDo = {
  title: t('No kit needs a person'),
  text: t('A kit that does not leave is listed here, with the reason.'),
}
const noKit = { title: t('No kits'), text: t('Kits are handed over within a minute, once a warehouse is saved.') }

const words: Record<Listed['choices'][number], string> = {
  again: t('Try again'),
  accept: t('Accept that it is sent'),
  record: t('Record the parcel'),
  release: t('Release'),
}

/** Release means here that a person has dealt with a parcel that left. */
const isDealtWith = ({ state, choices }: Listed) =>
  choices.length === 1 && (state === 'notRecorded' || state === 'notCanceled')

function Choices({ order }: { order: Listed }) {
  const { kitID, choices, state, reason, cancelReason, trackingNumber, serial, lot } = order
  const choose = useWrite('post', '/operator/v1/warehouse-orders/{kitID}')
  const [box, setBox] = useState('')
  const [withoutBox, setWithoutBox] = useState('')
  const [number, setNumber] = useState('')
  const [carrier, setCarrier] = useState('')
  const isBoxNeeded = reason === 'noSerial' || reason === 'severalSerials'
  const isSeveral = reason === 'severalLeft' || reason === 'severalParcels'
  const named = isSeveral
    ? t('Left empty: the box that the warehouse names for this tracking number.')
    : serial
      ? t('The warehouse named {box}. Left empty: this box is noted, or its lot if it cannot be this box.', {
          box: serial,
        })
      : lot
        ? t('The warehouse named lot {lot}. Left empty: this lot is noted.', { lot })
        : t('The warehouse named no box. Left empty: no box is noted.')
  const boxes = boxesOf(order)
  const wordOf = (choice: Listed['choices'][number]) =>
    choice === 'release' && isDealtWith(order) ? t('Dealt with') : words[choice]
  const send = (body: Parameters<typeof choose.mutateAsync>[0]['body']) =>
    choose.mutateAsync({ params: { path: { kitID } }, body })
  const isDoubtful = (choice: Listed['choices'][number]) =>
    cancelReason !== 'canceled' &&
    !isDealtWith(order) &&
    (reason === 'gone' || (state === 'notCanceled' && choice === 'release' && !trackingNumber))
  return (
    <Group gap="xs">
      {choices.map((choice) =>
        choice === 'record' ? (
          <ConfirmButton
            key={choice}
            size="xs"
            label={words.record}
            sentence={t('The kit is recorded as shipped with this parcel.')}
            isIncomplete={
              (!trackingNumber && !number.trim() && !(isSeveral && box.trim())) ||
              (isBoxNeeded && !box.trim() && !withoutBox.trim())
            }
            action={() =>
              send({
                choice,
                ...(box.trim() && { box: box.trim() }),
                ...(!box.trim() && withoutBox.trim() && { withoutBox: withoutBox.trim() }),
                ...(number.trim() && { trackingNumber: number.trim() }),
                ...(carrier.trim() && { carrier: carrier.trim() }),
              })
            }
          >
            {boxes.length > 1 && (
              <Select
                label={t('The parcel that the kit is in, as the warehouse names it')}
                data={boxes.map(({ label }, at) => ({ value: String(at), label }))}
                onChange={(at) => {
                  const chosen = boxes[Number(at ?? -1)]
                  setBox(chosen?.serial ?? '')
                  setNumber(chosen?.trackingNumber ?? '')
                }}
              />
            )}
            <TextInput
              label={t('Serial number of the box that left')}
              description={isBoxNeeded ? undefined : named}
              placeholder={serial}
              value={box}
              onChange={({ currentTarget }) => setBox(currentTarget.value)}
            />
            {(isBoxNeeded || isSeveral) && (
              <TextInput
                label={t('Or why nobody can say which box left')}
                value={withoutBox}
                onChange={({ currentTarget }) => setWithoutBox(currentTarget.value)}
              />
            )}
            <TextInput
              label={t('Tracking number')}
              placeholder={trackingNumber}
              value={number}
              onChange={({ currentTarget }) => setNumber(currentTarget.value)}
            />
            <TextInput
              label={t('Carrier')}
              placeholder={order.carrier}
              value={carrier}
              onChange={({ currentTarget }) => setCarrier(currentTarget.value)}
            />
          </ConfirmButton>
        ) : isDoubtful(choice) ? (
          <ConfirmButton
            key={choice}
            size="xs"
            label={words[choice]}
            sentence={t('The warehouse may still send this kit: then two kits go to this person.')}
            isDangerous
            action={() => send({ choice, mayBeTwo: true })}
          />
        ) : choice === 'release' && !isDealtWith(order) ? (
          <ConfirmButton
            key={choice}
            size="xs"
            label={words.release}
            sentence={t('The kit is taken from the warehouse. If it still waits, you pack it at your own bench.')}
            action={() => send({ choice })}
          />
        ) : (
          <Button
            key={choice}
            variant="default"
            size="xs"
            loading={choose.isPending}
            onClick={() => choose.mutate({ params: { path: { kitID } }, body: { choice } })}
          >
            {wordOf(choice)}
          </Button>
        ),
      )}
      {choose.error && <ErrorAlert error={choose.error} />}
    </Group>
  )
}

/** The boxes that left, each with its parcel; a parcel without a named box is one, too. */
const boxesOf = ({ parcels = [] }: Listed) =>
  parcels.flatMap(({ trackingNumber, serials, lots }) =>
    (serials.length > 0 ? serials : [undefined]).map((serial) => ({
      trackingNumber,
      serial,
      label: [trackingNumber, serial, ...lots].filter(Boolean).join(' · ') || t('Nothing is named'),
    })),
  )

/** What needs a person is not shown as good. */
const toneOf = ({ state, reason }: Listed) => (reason && states[state].tone !== 'bad' ? 'fair' : states[state].tone)

const labelOf = ({ state, reason }: Listed) =>
  reason === 'leftLater' ? t('A second parcel left') : states[state].label

const parcelOf = ({ carrier, trackingNumber, serial, lot }: Listed) =>
  [carrier, trackingNumber, serial, lot].filter(Boolean).join(' · ')

const columns: Column<Listed>[] = [
  {
    header: t('Kit'),
    cell: ({ kitID, orderID, business, warehouseID, reference }) => (
      <>
        <PageLink to={`/operator/orders/${orderID}`}>{kitID}</PageLink>
        <Text size="xs" c="dimmed">
          {business.name}
          <br />
          {warehouseID}
          {reference !== kitID && ` · ${reference}`}
        </Text>
      </>
    ),
  },
  {
    header: t('State'),
    cell: (order) => (
      <>
        <StatusDot tone={toneOf(order)}>{labelOf(order)}</StatusDot>
        {order.sentence && (
          <Text size="sm" c="dimmed">
            {order.sentence}
          </Text>
        )}
        {parcelOf(order) && (
          <Text size="sm" hiddenFrom="sm">
            {parcelOf(order)}
          </Text>
        )}
      </>
    ),
  },
  {
    header: t('Parcel'),
    cell: (order) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {parcelOf(order)}
      </Text>
    ),
    isMinor: true,
  },
  { header: t('Since'), cell: ({ changedDate }) => <RelativeDate value={changedDate} />, isMinor: true },
  { header: t('Actions'), cell: (order) => <Choices order={order} />, hasButtons: true },
]
