import { Button, Group, Stack, Text } from '@mantine/core'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { KeyButton } from '../../components/station/key-button.tsx'
import { t } from '../../language/t.ts'
import { LabelState, legs, type ShippingLabel } from './label-state.tsx'

const PATH = '/operator/v1/fulfilment/labels/{kitID}'
const isOpen = ({ state }: ShippingLabel) => state === 'queued' || state === 'bought' || state === 'refused'

/** The bought labels of the kit at the station, and of the sealed box that was scanned for it. */
export function useStationLabels(kitID: string | undefined, box: string | undefined) {
  const params = { path: { kitID: kitID ?? '' } }
  const found = useRead(PATH, { params }, { enabled: kitID !== undefined, every: kitID === undefined ? false : 1500 })
  const buying = useWrite('post', PATH)
  const labels = kitID === undefined ? [] : (found.data?.labels ?? []).filter(isOpen)
  const bought = (leg: ShippingLabel['leg']) => labels.find((one) => one.leg === leg && one.state === 'bought')
  const isWaiting = labels.some(({ state }) => state === 'queued')
  const [out, back] = [bought('toUser'), bought('toLab')]
  const isOn = kitID !== undefined && found.data?.isOn === true
  const mayBuy = isOn && !isWaiting && out === undefined && !buying.isPending
  return {
    isOn,
    labels,
    packaging: isOn ? found.data?.packaging : undefined,
    error: buying.error,
    buy: mayBuy ? () => buying.mutate({ params: { ...params, query: box === undefined ? {} : { box } } }) : undefined,
    /** What the kit is shipped with, once the label out is there and none is still being bought. */
    numbers:
      kitID !== undefined && out?.trackingNumber && out.carrier && !isWaiting
        ? {
            kitID,
            carrier: out.carrier,
            outboundTrackingNumber: out.trackingNumber,
            ...(back?.trackingNumber && { returnTrackingNumber: back.trackingNumber }),
          }
        : undefined,
  }
}

interface StationLabelsProps {
  station: ReturnType<typeof useStationLabels>
  /** Ships the kit with its labels; absent while its code was not scanned. */
  ship: (() => void) | undefined
}

export function StationLabels({ station: { isOn, labels, packaging, error, buy }, ship }: StationLabelsProps) {
  if (!isOn) return null
  return (
    <Stack gap="xs" mb="sm" role="group" aria-label={t('Shipping labels')}>
      {packaging && <Text>{packaging}</Text>}
      {error && <ErrorAlert error={error} />}
      {labels.map((label) => (
        <Group key={label.labelID} gap="sm">
          <Text>{legs[label.leg]}</Text>
          <LabelState label={label} />
          {label.state === 'bought' && label.hasDocument && (
            <Button
              component="a"
              href={`/operator/v1/labels/${label.labelID}/document`}
              target="_blank"
              rel="noreferrer"
              variant="default"
              size="xs"
            >
              {t('Open {number} to print', { number: label.trackingNumber ?? '' })}
            </Button>
          )}
        </Group>
      ))}
      <Group gap="sm">
        {buy && <KeyButton name="F7" words={t('Buy the labels')} run={buy} />}
        {ship && <KeyButton name="F10" words={t('Ship with these labels')} run={ship} />}
      </Group>
    </Stack>
  )
}
