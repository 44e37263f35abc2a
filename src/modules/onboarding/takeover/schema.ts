import { z } from 'zod'
import * as httpFields from '../../../platform/http/fields.ts'
import { normalise } from '../../../platform/http/lenient.ts'
import { internalKitType } from '../../catalogue/kit-type.ts'
import { ShipInput } from '../../fulfilment/schema.ts'
import { Address, byCountry } from '../../orders/address-schema.ts'
import { type Stage, stageOf, stages } from './stages.ts'

const stage = z.string().transform((given, context): Stage => {
  const found = stageOf(given)
  if (found) return found
  context.addIssue({ code: 'custom', message: `Send one of ${stages.join(', ')}` })
  return z.NEVER
})

// By whole words: in other languages, a word for a woman may begin with an M.
const sexByWord = new Map([
  ...['m', 'male', 'man'].map((word): [string, 'M' | 'F'] => [word, 'M']),
  ...['f', 'female', 'woman'].map((word): [string, 'M' | 'F'] => [word, 'F']),
])
const sex = z.string().transform((given, context): 'M' | 'F' => {
  const found = sexByWord.get(given.trim().toLowerCase())
  if (found) return found
  context.addIssue({ code: 'custom', message: 'Send M or F' })
  return z.NEVER
})

const { outboundTrackingNumber: trackingNumber } = ShipInput.shape
const when = httpFields.dateOrTimestamp.optional()

const fields = {
  external_id: httpFields.line(255),
  kit_type: httpFields.text(100).transform(internalKitType),
  status: stage,
  reason: httpFields.optionalText(500),
  first_name: httpFields.line(100),
  last_name: httpFields.line(100),
  email: httpFields.email,
  phone: httpFields.optionalPhone,
  ...Address.shape,
  external_tags: httpFields.optionalLine(500),
  notify_receiver: z.boolean().or(httpFields.isTrue).default(false),
  ordered_date: when,
  shipped_date: when,
  delivered_date: when,
  registered_date: when,
  sample_shipped_date: when,
  received_date: when,
  rejected_date: when,
  carrier: httpFields.optionalLine(60),
  tracking_number: trackingNumber.optional(),
  return_carrier: httpFields.optionalLine(60),
  return_tracking_number: trackingNumber.optional(),
  accession: httpFields.optionalLine(100),
  person_first_name: httpFields.optionalLine(100),
  person_last_name: httpFields.optionalLine(100),
  person_email: httpFields.email.optional(),
  date_of_birth: httpFields.dayOf.optional(),
  sex: sex.optional(),
  customer_external_id: httpFields.optionalOwnId,
}

export const Row = byCountry(z.object(fields))
export type TakenRow = z.infer<typeof Row>

/** The names of the columns. */
export const columns: readonly string[] = Object.keys(fields)

/** One kit of another vendor: a row of a CSV or an object of JSON. Names may be written in other ways, and empty values are absent. */
export const TakenRow = z.preprocess((row) => normalise(Row, row), Row)
