import { z } from 'zod'
import type { ShopPort } from '../../domain/ports.ts'
import { ask, type FulfilmentUpdate, outcomeOf, ShopRefusal, type UpdateOutcome } from './fulfilment-update.ts'

const Notes = z.array(z.looseObject({ note: z.string() }))
const Order = z.looseObject({ status: z.string() })

/**
 * Writes a note with the tracking numbers, which WooCommerce mails to the buyer where the business wants it, and keeps them as
 * metadata. An order of nothing but kits is completed with its last parcel.
 */
export const updateWooCommerce = (call: ShopPort, update: FulfilmentUpdate): Promise<UpdateOutcome> =>
  outcomeOf(async () => {
    const path = `/orders/${encodeURIComponent(update.externalId)}`
    const { status } = await rest(call, update, Order, 'GET', `${path}?_fields=id,status`)
    const notes = await rest(call, update, Notes, 'GET', `${path}/notes`)
    for (const { number, carrier } of update.parcels) {
      if (notes.some(({ note }) => note.includes(number))) continue
      const note = `Shipped${carrier ? ` with ${carrier}` : ''}, tracking number ${number}`
      await rest(call, update, z.looseObject({}), 'POST', `${path}/notes`, {
        note,
        customer_note: update.isNotifyBuyer,
      })
    }
    const isDone = update.isWhole && update.isAllKits && status === 'processing'
    await rest(call, update, Order, 'PUT', path, {
      ...(isDone && { status: 'completed' }),
      meta_data: update.parcels.map(({ number, carrier }) => ({ key: `_kitlane_tracking_${number}`, value: carrier })),
    })
  })

/** Whether the shop lets the key in: the number of one order is asked for. */
export const tryWooCommerce = (
  call: ShopPort,
  update: Pick<FulfilmentUpdate, 'url' | 'access'>,
): Promise<UpdateOutcome> =>
  outcomeOf(async () => {
    await rest(call, update, z.array(z.unknown()), 'GET', '/orders?per_page=1&_fields=id')
  })

async function rest<T>(
  call: ShopPort,
  { url, access }: Pick<FulfilmentUpdate, 'url' | 'access'>,
  shape: z.ZodType<T>,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  if (!('consumerKey' in access)) throw new ShopRefusal('NO_ACCESS')
  const basic = Buffer.from(`${access.consumerKey}:${access.consumerSecret}`).toString('base64')
  const answer = await ask(call, {
    url: `${url}/wp-json/wc/v3${path}`,
    method,
    headers: { authorization: `Basic ${basic}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const parsed = shape.safeParse(answer)
  if (!parsed.success) throw new ShopRefusal('UNKNOWN_ANSWER')
  return parsed.data
}
