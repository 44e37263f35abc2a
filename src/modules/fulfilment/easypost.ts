import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { constantTimeEqual } from '../../platform/crypto.ts'
import type { CarrierStatus } from './rules.ts'
import { CarrierEvent } from './schema.ts'

// As EasyPost's own libraries check it: the secret in Unicode form NFKD, over the bytes as they came.
const PREFIX = 'hmac-sha256-hex='

/** The value of X-Hmac-Signature for a body. */
export const signatureOf = (rawBody: Buffer, secret: string): string =>
  PREFIX + createHmac('sha256', secret.normalize('NFKD')).update(rawBody).digest('hex')

export const isSigned = (rawBody: Buffer, signature: string, secret: string): boolean =>
  constantTimeEqual(signature.toLowerCase(), signatureOf(rawBody, secret))

/** What says nothing of the parcel is left out: unknown, and error (EasyPost cannot find the number). */
const statuses: Readonly<Record<string, CarrierStatus>> = {
  pre_transit: 'label_created',
  in_transit: 'in_transit',
  out_for_delivery: 'out_for_delivery',
  available_for_pickup: 'available_for_pickup',
  delivered: 'delivered',
  return_to_sender: 'return_to_sender',
  failure: 'exception',
  cancelled: 'canceled',
}

// Why, where the status alone does not say it.
const details: Readonly<Record<string, CarrierStatus>> = {
  refused: 'refused',
  damaged: 'damaged',
  lost: 'lost',
  return: 'return_to_sender',
  arrived_at_pickup_location: 'available_for_pickup',
}
const lackDetail = ['failure', 'return_to_sender', 'in_transit', 'unknown', 'error']

const Detail = z.looseObject({
  status: z.string().nullish(),
  datetime: z.string().nullish(),
  message: z.string().nullish(),
})

const Event = z.looseObject({
  id: z.string(),
  description: z.string(),
  /** `test`: made with a test key of EasyPost. */
  mode: z.string().nullish(),
  created_at: z.string().nullish(),
  result: z.looseObject({
    tracking_code: z.string().nullish(),
    status: z.string().nullish(),
    status_detail: z.string().nullish(),
    updated_at: z.string().nullish(),
    tracking_details: z.array(Detail).nullish(),
  }),
})

/**
 * The carrier event that an EasyPost webhook tells of; undefined where it is of something else. When it happened says the
 * last scan of that status; EasyPost's own times are of when it heard of it.
 */
export function fromEasyPost(body: unknown): CarrierEvent | undefined {
  const event = Event.safeParse(body)
  if (!event.success || event.data.mode === 'test' || !event.data.description.startsWith('tracker.')) return undefined
  const { id, created_at: createdAt, result } = event.data
  const detail = lackDetail.includes(result.status ?? '') ? details[result.status_detail ?? ''] : undefined
  const status = detail ?? statuses[result.status ?? '']
  if (!status) return undefined
  const scan = result.tracking_details?.findLast((detail) => detail.status === result.status)
  const at = [scan?.datetime, result.updated_at, createdAt].find((time) => time && !Number.isNaN(Date.parse(time)))
  const read = CarrierEvent.safeParse({
    id,
    trackingNumber: result.tracking_code ?? '',
    status,
    at: at && new Date(at).toISOString(),
    message: scan?.message?.slice(0, 300),
  })
  return read.success ? read.data : undefined
}
