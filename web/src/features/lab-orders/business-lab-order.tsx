import { Alert, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../language/t.ts'
import { OrderState } from './order-state.tsx'

/** On the page of a kit: how its order to a laboratory stands, if it has one. */
export function BusinessLabOrder({ kitID }: { kitID: string }) {
  const order = useRead('/api/v1/kits/{kitID}/lab-order', { params: { path: { kitID } } }).data
  if (!order) return null
  return (
    <Alert variant="light" title={t('Order to the laboratory')}>
      <Stack gap={2}>
        <OrderState state={order.state} />
        {order.laboratory && <Text size="sm">{order.laboratory.name}</Text>}
        {order.attention && <Text size="sm">{t('Somebody at the operator looks into it. You need do nothing.')}</Text>}
      </Stack>
    </Alert>
  )
}
