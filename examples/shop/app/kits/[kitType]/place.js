'use server'

import { redirect } from 'next/navigation'
import { placeOrder } from '../../../lib/orders.js'

export async function place(_, form) {
  const { placed, ...toShow } = await placeOrder(form)
  if (placed) redirect(`/orders/${placed}`)
  return toShow
}
