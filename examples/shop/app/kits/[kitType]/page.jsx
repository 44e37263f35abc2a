import { randomUUID } from 'node:crypto'
import { notFound } from 'next/navigation'
import { money } from '../../../lib/money.js'
import { findKit } from '../../../lib/orders.js'
import { Checkout } from './checkout.jsx'

export const dynamic = 'force-dynamic'

export default async function Kit({ params }) {
  const kit = await findKit((await params).kitType)
  if (!kit) notFound()
  return (
    <>
      <h1>{kit.name}</h1>
      <p>
        {kit.biomarkers.length} values from one sample that you take at home. <strong>{money(kit.price)}</strong>
      </p>
      {/* Each form that is shown is one order. */}
      <Checkout kitType={kit.kitType} newId={randomUUID()} />
    </>
  )
}
