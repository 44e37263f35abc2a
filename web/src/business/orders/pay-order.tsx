import { useState } from 'react'
import { useWrite } from '../../api/hooks.ts'
import type { Order } from '../../api/shapes.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { PaymentChoice } from './payment-choice.tsx'

export function PayOrder({ order }: { order: Order }) {
  const [method, setMethod] = useState('credits')
  const pay = useWrite('post', '/api/v1/orders/{id}/pay')
  return (
    <ConfirmButton
      label="Pay order"
      variant="filled"
      sentence="The kits are made and packed as soon as it is paid."
      action={() => pay.mutateAsync({ params: { path: { id: order.orderID } }, body: { paymentMethod: method } })}
      done="The order is paid"
    >
      <PaymentChoice value={method} onChange={setMethod} ways={['credits', 'card']} />
    </ConfirmButton>
  )
}
