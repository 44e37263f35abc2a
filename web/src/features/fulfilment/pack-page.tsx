import { Button, Group, Select, Text } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, useState } from 'react'
import { useSearchState } from '../../app/search.ts'
import { CsvButton } from '../../components/csv-button.tsx'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { KeyButton } from '../../components/station/key-button.tsx'
import { ScanFeedbackPanel } from '../../components/station/scan-feedback.tsx'
import { ScanField, useScanField } from '../../components/station/scan-field.tsx'
import css from '../../components/station/station.module.css'
import { t } from '../../language/t.ts'
import { StationLabels, useStationLabels } from '../labels/station-labels.tsx'
import { KitCard, Steps } from './kit-card.tsx'
import { usePacking } from './use-packing.ts'

// The service keeps the carrier as it is sent: only what is read is translated.
const CARRIERS = ['UPS', 'USPS', 'FedEx', 'DHL', { value: 'Other', label: t('Other') }]

const QUEUE = '/operator/v1/fulfilment/queue'

export function PackPage() {
  const [search] = useSearchState()
  const [carrier, setCarrier] = useLocalStorage({ key: 'kitlane-carrier', defaultValue: 'UPS' })
  const filters: Record<string, string> = search.businessID ? { businessID: search.businessID } : {}
  const station = usePacking(search.businessID, carrier)
  const field = useScanField()
  const [printed, setPrinted] = useState<string>()
  const { kit, packing } = station
  const labels = useStationLabels(kit?.kitID, packing?.box)
  const { numbers } = labels
  // The box in hand is known by its code.
  const isScanned = packing?.step === 'outbound' && packing.outbound === undefined
  const shipWithLabels = numbers && isScanned ? () => station.shipWith(numbers) : undefined

  const actions: Record<string, (() => void) | undefined> = {
    Escape: station.goBack,
    F2: station.skip,
    F4: packing?.step === 'return' ? station.withoutReturn : undefined,
    F6: packing?.doubtful === undefined ? undefined : station.takeAsLabel,
    F7: labels.buy,
    F10: shipWithLabels,
    F8: kit && (() => setPrinted(kit.kitID)),
    F9: station.last === undefined ? undefined : station.undo,
  }
  const onKey = ({ key }: KeyboardEvent) => {
    actions[key]?.()
    return actions[key] !== undefined
  }

  return (
    <>
      <div className={`${css.station} no-print`}>
        <PageHeader
          title={t('Pack')}
          beside={<Text aria-live="polite">{waitingText(station.waiting)}</Text>}
          actions={
            <Group gap="sm">
              <CsvButton path={QUEUE} filters={filters} label={t('Kits to pack as CSV')} />
              <CsvButton path={QUEUE} filters={filters} format="xlsx" label={t('Kits to pack as a workbook (.xlsx)')} />
              <PageLink to="/operator/pack/csv" size="sm" c="dimmed">
                {t('Ship by CSV')}
              </PageLink>
            </Group>
          }
        />
        {station.error && <ErrorAlert error={station.error} retry={station.retry} />}
        {kit && packing && (
          <>
            <KitCard kit={kit} />
            <Steps packing={packing} />
            <StationLabels station={labels} ship={shipWithLabels} />
          </>
        )}
        <ScanField
          label={kit ? t('Scan') : t('Press Enter to check for new orders')}
          fieldRef={field}
          onScan={station.scan}
          onKey={onKey}
          isBusy={station.isBusy}
        />
        <ScanFeedbackPanel feedback={station.feedback} />
        <Group gap="sm">
          {packing && packing.step !== 'kit' && (
            <KeyButton name="Esc" words={t('One scan back')} run={station.goBack} />
          )}
          {kit && <KeyButton name="F2" words={t('Skip this kit')} run={station.skip} />}
          {actions.F4 && <KeyButton name="F4" words={t('No return label')} run={actions.F4} />}
          {actions.F6 && (
            <KeyButton
              name="F6"
              words={t("{code} is the label's number", { code: packing?.doubtful ?? '' })}
              run={actions.F6}
            />
          )}
          {actions.F8 && <KeyButton name="F8" words={t("Print the kit's label")} run={actions.F8} />}
          {actions.F9 && (
            <KeyButton name="F9" words={t('Undo {kitID}', { kitID: station.last ?? '' })} run={actions.F9} />
          )}
          {station.skippedCount > 0 && (
            <Button variant="subtle" onClick={station.unskip}>
              {t('Show {count} skipped', { count: station.skippedCount })}
            </Button>
          )}
        </Group>
        <Select
          label={t('Carrier, if the number does not identify one')}
          data={CARRIERS}
          value={carrier}
          onChange={(value) => value && setCarrier(value)}
          onDropdownClose={() => field.current?.focus()}
          maw={320}
        />
      </div>
      {printed !== undefined && <KitLabel kitID={printed} onPrinted={() => setPrinted(undefined)} />}
    </>
  )
}

function waitingText(count: number | undefined): string {
  if (count === undefined) return ''
  if (count === 0) return t('Every paid order is packed')
  return t('{count, plural, one {# kit waits} other {# kits wait}}', { count })
}

/** The kit's label, visible on paper only. It is printed as soon as it is loaded. */
function KitLabel({ kitID, onPrinted }: { kitID: string; onPrinted: () => void }) {
  return (
    <img
      className={css.label}
      src={`/operator/v1/kits/${kitID}/label`}
      alt={t('Label of {kitID}', { kitID })}
      onLoad={() => {
        window.print()
        onPrinted()
      }}
      onError={onPrinted}
    />
  )
}
