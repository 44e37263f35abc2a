import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { relations } from '../customers/schema.ts'
import { KitBox } from '../stock/schema.ts'
import { ConsentEntry } from './consent/schema.ts'
import { kitExceptions, lifetimeStatuses } from './lifecycle.ts'
import { KitRecord } from './schema.ts'
import { changeSources } from './timeline.ts'

export const TimelineItem = z
  .object({
    type: z.enum([...lifetimeStatuses, ...kitExceptions]),
    at: timestamp.describe('When it happened.'),
    by: z.enum(changeSources).describe('Who said so. system: filled in, since something later was recorded first.'),
    reason: z.string().optional(),
    report: z
      .enum(['inReview', 'published', 'rejected'])
      .optional()
      .describe('At reportReady: where the report is since then. It comes once for each.'),
    late: z.boolean().optional().describe('It took longer than usual after the step before it.'),
    usuallyDays: z.int().optional(),
  })
  .meta({ id: 'KitTimelineItem' })

const Line = z.object({
  id: z.string(),
  endpointID: z.string(),
  eventID: z.string(),
  type: z.string(),
  status: z.enum(['pending', 'delivered', 'failed']),
  lastAttemptDate: timestamp.optional(),
})

export const KitPage = z
  .object({
    kit: KitRecord,
    timeline: z.array(TimelineItem).describe('Oldest first.'),
    next: z
      .object({
        type: z.enum(lifetimeStatuses),
        usuallyDays: z.int().optional(),
        lateSince: timestamp.optional().describe('Only once it is late.'),
      })
      .optional()
      .describe('What the kit waits for. Absent at the end, in an exception, and once it is replaced.'),
    registration: z
      .object({
        customerID: z.int(),
        name: z.string().optional().describe('Needs `customers:read`.'),
        email: z.string().optional(),
        registeredDate: timestamp,
        guardian: z
          .object({ name: z.string().optional().describe('Needs `customers:read`.'), relation: z.enum(relations) })
          .optional()
          .describe('Who registered a minor. The e-mail is theirs.'),
      })
      .optional(),
    consents: z.array(ConsentEntry).describe('What was agreed to and taken back, oldest first.'),
    deliveries: z.array(Line).optional().describe('The newest 50 webhook deliveries about it; needs `webhooks:read`.'),
    reportID: z.string().optional().describe('Needs `reports:read`.'),
    box: KitBox.optional().describe('The sealed box that it is in.'),
    isRecalled: z.literal(true).optional(),
    registerUrl: z.string().describe('Where the recipient registers it.'),
  })
  .meta({ id: 'KitPage' })
export type KitPage = z.infer<typeof KitPage>
