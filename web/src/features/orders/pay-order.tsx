import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import { asProblem } from '../../api/problem.ts'
import type { Order } from '../../api/shapes.ts'
import { useRealmHeader } from '../../app/realm.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { moneyOf } from '../../components/money.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { PaymentChoice } from './payment-choice.tsx'
import { PaymentHint, usePaymentMethods } from './payment-method.tsx'

export function PayOrder({ order }: { order: Order }) {
  const [chosen, setChosen] = useState<string>()
  const { isKnown, cards, attached, short, isPurchasing } = usePaymentMethods()
  const { nameOf } = usePanels()
  const realm = useRealmHeader()
  const cache = useQueryClient()
  const pay = useWrite('post', '/api/v1/orders/{id}/pay')
  const missing = short(order.items)
  const names = missing.map(({ kitType }) => nameOf(kitType)).join(', ')
  const noCredits = missing.length > 0 ? t('Too few are left for {names}', { names }) : undefined
  const usual = noCredits === undefined ? 'credits' : (cards.find(({ id }) => id === attached?.id) ?? cards[0])?.id
  const way = chosen ?? (isKnown ? usual : 'credits')
  const { amount, currency } = order.payment

  const send = async () => {
    if (way === undefined) return
    try {
      await pay.mutateAsync({ params: { path: { id: order.orderID } }, body: { paymentMethod: way } })
      notifications.show({ message: t('The order is paid') })
    } catch (reason) {
      // The answer is lost, not the payment: the order's page follows it from here.
      if (asProblem(reason).extra.settling !== true) throw reason
      await cache.invalidateQueries({ queryKey: [realm ?? ''] })
    }
  }

  return (
    <ConfirmButton
      label={t('Pay order')}
      variant="filled"
      sentence={t('The kits are made and packed as soon as it is paid.')}
      action={send}
      blocked={
        way === undefined ? (
          <>
            <Text>
              {isPurchasing
                ? t('This order cannot be paid now: too few credits are left for {names}, and no card is saved.', {
                    names,
                  })
                : t(
                    'This order cannot be paid now: too few credits are left for {names}, and buying by card is switched off in the settings.',
                    { names },
                  )}
            </Text>
            <Text>
              <PaymentHint />
            </Text>
          </>
        ) : undefined
      }
    >
      {amount !== undefined && currency && (
        <Text>{t('By card it costs {money}.', { money: moneyOf(amount, currency) })}</Text>
      )}
      <PaymentChoice value={way ?? ''} onChange={setChosen} ways={['credits', 'card']} noCredits={noCredits} />
      {noCredits !== undefined && cards.length === 0 && (
        <Text>
          <PaymentHint />
        </Text>
      )}
    </ConfirmButton>
  )
}
