import type { components } from '@kitlane/client'
import { Button, Group, Space, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Section } from '../../components/section.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { underWayText } from './labels.tsx'
import { BuildLot, ReceiveLot } from './lot-forms.tsx'

type ComponentLot = components['schemas']['ComponentLot']
type KitLot = components['schemas']['KitLot']

/** Lots of components and of kits, and the way from a number to the kits that hold it. */
export function LotsPage() {
  const ofComponents = useListState()
  const ofKits = useListState([], { pageKey: 'kitPage', sizeKey: 'kitSize' })
  const parts = useRead('/operator/v1/stock/components', { params: { query: ofComponents.query } }, { keep: true })
  const kits = useRead('/operator/v1/stock/kit-lots', { params: { query: ofKits.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Lots')}
        sentence={t('What kits are built from. A kit that is packed keeps its lot, so that a recall finds it.')}
        actions={<ReceiveLot />}
      />
      <FindLot />
      <Section title={t('Lots of components')}>
        <DataTable
          label={t('Lots of components')}
          rows={parts.data?.data}
          error={parts.error}
          retry={() => void parts.refetch()}
          columns={componentColumns}
          rowKey={({ component, lot }) => `${component} ${lot}`}
          empty={{ title: t('No lot was received'), text: t('Receive the lots that you build kits from.') }}
        />
        <Pager state={ofComponents} pagination={parts.data?.pagination} />
      </Section>
      <Space h="lg" />
      <Section title={t('Lots of kits')} action={<BuildLot />}>
        <DataTable
          label={t('Lots of kits')}
          rows={kits.data?.data}
          error={kits.error}
          retry={() => void kits.refetch()}
          columns={kitColumns}
          rowKey={({ product, lot }) => `${product} ${lot}`}
          empty={{
            title: t('No lot of kits is known'),
            text: t('Say what a lot is built from, and load it at the stations.'),
          }}
        />
        <Pager state={ofKits} pagination={kits.data?.pagination} />
      </Section>
    </>
  )
}

const pathOf = (lot: string) => `/operator/lots/${encodeURIComponent(lot)}`

/** From a number to all that has it. */
function FindLot() {
  const navigate = useNavigate()
  const [lot, setLot] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (lot.trim()) void navigate({ to: pathOf(lot.trim()) })
      }}
    >
      <Group gap="xs" mb="lg" align="end">
        <TextInput
          label={t('Number of a lot or run')}
          maxLength={60}
          value={lot}
          onChange={(event) => setLot(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          {t('Find its kits')}
        </Button>
      </Group>
    </form>
  )
}

const LotLink = ({ lot }: { lot: string }) => <PageLink to={pathOf(lot)}>{lot}</PageLink>

const componentColumns: Column<ComponentLot>[] = [
  {
    header: t('Component'),
    cell: ({ component, lot }) => (
      <>
        <LotLink lot={lot} />
        <Text size="xs" c="dimmed">
          {component}
        </Text>
      </>
    ),
  },
  { header: t('Expires'), cell: ({ expiryDate }) => dayOf(expiryDate) },
  { header: t('How many'), align: 'right', cell: ({ quantity }) => quantity, isMinor: true },
  {
    header: t('Can be packed'),
    cell: ({ isUsable, quarantine }) => (
      <>
        <StatusDot tone={isUsable ? 'good' : 'bad'}>
          {quarantine !== undefined ? t('In quarantine') : isUsable ? t('Yes') : t('Expires too soon')}
        </StatusDot>
        {quarantine !== undefined && <Text size="xs">{quarantine}</Text>}
      </>
    ),
  },
  {
    header: '',
    cell: ({ component, lot, quarantine, isRecalled }) => (
      <Group justify="flex-end">
        {isRecalled ? (
          <UntilClosed />
        ) : (
          <SetApart kind="componentLot" subject={component} lot={lot} isApart={quarantine !== undefined} />
        )}
      </Group>
    ),
    hasButtons: true,
  },
]

const kitColumns: Column<KitLot>[] = [
  {
    header: t('Lot of kits'),
    cell: ({ product, lot }) => (
      <>
        <LotLink lot={lot} />
        <Text size="xs" c="dimmed">
          {product}
        </Text>
      </>
    ),
  },
  {
    header: t('Built from'),
    cell: ({ components: parts }) => parts.map(({ component, lot }) => `${component} ${lot}`).join(', '),
    isMinor: true,
  },
  {
    header: t('At the stations'),
    cell: ({ isLoaded, problem }) => (
      <>
        {isLoaded && <StatusDot tone={problem === undefined ? 'good' : 'bad'}>{t('Loaded')}</StatusDot>}
        {problem !== undefined && <Text size="xs">{problem}</Text>}
      </>
    ),
  },
  {
    header: '',
    cell: (row) => (
      <Group gap="xs" justify="flex-end">
        {isLoadable(row) && <Load row={row} />}
        {row.isRecalled ? (
          <UntilClosed />
        ) : (
          <SetApart kind="kitLot" subject={row.product} lot={row.lot} isApart={row.quarantine !== undefined} />
        )}
      </Group>
    ),
    hasButtons: true,
  },
]

/** A lot that may not be packed says why in its row; it can be taken off the stations. */
const isLoadable = ({ product, isLoaded, problem }: KitLot): boolean =>
  !/^\d{14}$/.test(product) && (isLoaded || problem === undefined)

const UntilClosed = () => (
  <Text size="xs" c="dimmed">
    {t('Recalled: it can be used again once the recall is closed.')}
  </Text>
)

function Load({ row: { product, lot, isLoaded } }: { row: KitLot }) {
  const save = useWrite('post', '/operator/v1/stock/kit-lots')
  return (
    <ConfirmButton
      label={isLoaded ? t('Take off the stations') : t('Load')}
      size="xs"
      sentence={
        isLoaded
          ? t('Kits that are packed from now on are of no lot, and no recall finds them.')
          : t('Kits of this kit type that are packed without a box are of lot {lot} from now on.', { lot })
      }
      action={() => save.mutateAsync({ body: { product, lot, load: !isLoaded } })}
    />
  )
}

interface SetApartProps {
  kind: 'componentLot' | 'kitLot'
  subject: string
  lot: string
  isApart: boolean
}

function SetApart({ isApart, ...named }: SetApartProps) {
  const save = useWrite('post', '/operator/v1/stock/quarantine')
  const [reason, setReason] = useState('')
  return (
    <ConfirmButton
      label={isApart ? t('Use again') : t('Set apart')}
      size="xs"
      sentence={
        isApart
          ? t('Kits of this lot may be packed again.')
          : t('No kit of this lot is packed. What was packed before is not stopped: recall the lot for that.')
      }
      action={async () => {
        const { underWay } = await save.mutateAsync({ body: { ...named, ...(!isApart && { reason: reason.trim() }) } })
        if (underWay !== undefined) notifications.show({ message: underWayText(underWay) })
      }}
      isIncomplete={!isApart && reason.trim() === ''}
    >
      {!isApart && (
        <TextInput
          label={t('Reason')}
          maxLength={300}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </ConfirmButton>
  )
}
