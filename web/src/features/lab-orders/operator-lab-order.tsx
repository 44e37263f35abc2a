import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { t } from '../../language/t.ts'
import { SendOrder } from './lab-order-actions.tsx'

interface OperatorLabOrderProps {
  kitID: string
  kitType: string
  /** Somebody is registered, and the sample is to be tested. */
  canBeOrdered: boolean
}

/** On the operator's page of a kit: the way to its order, or to make one, such as for a kit from before there were orders. */
export function OperatorLabOrder({ kitID, kitType, canBeOrdered }: OperatorLabOrderProps) {
  const order = useRead('/operator/v1/lab-orders/{kitID}', { params: { path: { kitID } } })
  const laboratories = useRead('/operator/v1/lab-connections').data ?? []
  if (order.data) {
    return (
      <Button component={Link} to={`/operator/lab-orders/${kitID}`} variant="default">
        {t('Order to the laboratory')}
      </Button>
    )
  }
  if (!canBeOrdered || laboratories.length === 0 || order.error?.code !== 'LAB_ORDER_NOT_FOUND') return null
  return <SendOrder kitID={kitID} kitType={kitType} label={t('Order it at a laboratory')} laboratories={laboratories} />
}
