import { Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import type { Order } from '../../api/shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { orderHeadline } from '../../components/headlines.ts'
import type { Selection } from '../../components/selection.tsx'
import { t } from '../../language/t.ts'
import { mayCancel } from './labels.ts'

interface CancelOrdersProps {
  /** Of the page. */
  orders: readonly Order[]
  selection: Selection
}

/** Cancels the selected orders that are not posted, one after the other. */
export function CancelOrders({ orders, selection }: CancelOrdersProps) {
  const cancel = useWrite('post', '/api/v1/orders/{id}/cancel')
  const [done, setDone] = useState(0)
  const selected = orders.filter(({ orderID }) => selection.keys.has(orderID))
  const able = selected.filter(mayCancel)
  const rest = selected.length - able.length
  const run = async () => {
    const failed: string[] = []
    for (const [index, order] of able.entries()) {
      setDone(index)
      await cancel
        .mutateAsync({ params: { path: { id: order.orderID } } })
        .catch((error) => failed.push(`${orderHeadline(order)}: ${asProblem(error).message}`))
    }
    setDone(0)
    if (failed.length > 0) throw new Error(failed.join('\n'))
    selection.clear()
  }
  return (
    <ConfirmButton
      label={t('Cancel {count, plural, one {# order} other {# orders}}', { count: able.length })}
      size="xs"
      isDangerous
      blocked={
        able.length === 0 && (
          <Text>
            {t('None of the selected orders can be canceled: their kits are packed, or they are canceled already.')}
          </Text>
        )
      }
      sentence={t(
        'No kits will be sent, and what was paid is refunded. {count, plural, one {A canceled order} other {Canceled orders}} cannot be reopened.',
        { count: able.length },
      )}
      action={run}
      done={t('The orders were canceled')}
    >
      <Stack gap="xs">
        {rest > 0 && (
          <Text c="dimmed">
            {t(
              '{count, plural, one {# selected order stays: it is} other {# selected orders stay: they are}} packed or canceled already.',
              {
                count: rest,
              },
            )}
          </Text>
        )}
        {done > 0 && <Progress value={(100 * done) / able.length} aria-label={t('Canceled so far')} />}
      </Stack>
    </ConfirmButton>
  )
}
