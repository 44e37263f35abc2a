import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import type { BriefEmail as Row } from './list-queries.ts'

/** An e-mail as the operator's page of an order or a person shows it. */
export const BriefEmail = z
  .object({
    id: z.string(),
    to: z.string(),
    subject: z.string(),
    status: z.enum(['queued', 'sent', 'kept', 'failed']),
    createdDate: timestamp,
  })
  .meta({ id: 'BriefEmail' })
export type BriefEmail = z.infer<typeof BriefEmail>

export const toBrief = ({ createdAt, ...email }: Row): BriefEmail => ({
  ...email,
  createdDate: createdAt.toISOString(),
})
