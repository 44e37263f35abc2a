import { notFound } from 'next/navigation'
import { findOrder } from '../../../lib/orders.js'

export const dynamic = 'force-dynamic'

const words = {
  preparing: 'We are packing your kit.',
  inTransit: 'Your kit is on its way.',
  delivered: 'Your kit was delivered.',
  registered: 'Your kit is registered. Take your sample, and post it.',
  collected: 'Your sample is taken.',
  deliveryException: 'Your parcel is delayed. We look after it.',
  canceled: 'Your order is canceled.',
}

export default async function Order({ params }) {
  const order = await findOrder((await params).id)
  if (!order) notFound()
  return (
    <>
      <h1>Thank you</h1>
      <p>
        Your order is <strong>{order.orderID}</strong>. Keep the address of this page to come back to it.
      </p>
      <ul>
        {order.kits.map(({ kitID, kitStatus }) => (
          <li key={kitID}>{words[kitStatus] ?? 'Your kit is being processed.'}</li>
        ))}
        {order.kits.length === 0 && <li>{words[order.status] ?? 'We have your order.'}</li>}
      </ul>
    </>
  )
}
