import { Loader, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { CopyBlock } from '../../components/raw-json.tsx'
import { t } from '../../language/t.ts'

/** What a delivery sends. It is read once somebody opens it, since it may tell of a person, and reading it is noted. */
export function DeliveryPayload({ id }: { id: string }) {
  const delivery = useRead('/api/v1/webhook-deliveries/{id}', { params: { path: { id } } })
  if (delivery.error) return <ErrorAlert error={delivery.error} retry={() => void delivery.refetch()} />
  if (!delivery.data) return <Loader size="xs" aria-label={t('Loading')} />
  const { payload } = delivery.data
  if (!payload) {
    return (
      <Text size="sm" c="dimmed">
        {t('What it sends is not shown: you may not read such events.')}
      </Text>
    )
  }
  return <CopyBlock text={JSON.stringify(payload, null, 2)} label={t('Copy payload')} name={t('payload')} />
}
