import { normalizeId } from '@kitlane/display/short-id'
import { isStorable, NOT_STORABLE } from '@kitlane/display/text'
import { z } from 'zod'

const identifier = (what: string) =>
  z
    .string()
    .max(64)
    .refine(isStorable, NOT_STORABLE)
    .transform(normalizeId)
    .describe(`${what} ID; case does not matter.`)

export const orderId = identifier('Order')
export const kitId = identifier('Kit')
export const reportId = identifier('Report')

/** A business where the operator's lists name it. */
export const businessName = z.object({ id: z.string(), name: z.string() }).meta({ id: 'BusinessName' })
