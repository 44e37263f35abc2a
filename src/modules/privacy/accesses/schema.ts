import { z } from 'zod'
import { dateOrTimestamp, timestamp } from '../../../platform/http/fields.ts'
import { customerNumber } from '../../customers/schema.ts'

const accessedKinds = ['record', 'kit', 'order', 'report', 'answers', 'file', 'results', 'labMessage', 'email'] as const
export type AccessedKind = (typeof accessedKinds)[number]

const accessVerbs = ['read', 'listed', 'exported', 'changed', 'refused'] as const
export type AccessVerb = (typeof accessVerbs)[number]

const PersonalAccess = z
  .object({
    firstDate: timestamp,
    lastDate: timestamp.describe('The same as the first where it happened once.'),
    times: z.int().describe('How often on that day, UTC.'),
    who: z.object({
      kind: z
        .enum(['person', 'business', 'operator', 'laboratory', 'service'])
        .describe('`person`: with their personal link. `service`: by itself, in a job.'),
      role: z.string().optional(),
      name: z.string().optional().describe('Of the account or the token.'),
    }),
    data: z.enum(accessedKinds),
    did: z
      .enum(accessVerbs)
      .describe('`listed`: shown in a list. `exported`: in a file; a file of a whole list held everybody.'),
    operation: z.string().optional().describe('The request, by its operation.'),
    job: z.string().optional(),
    reason: z.string().optional().describe('Why, where a reason was given.'),
  })
  .meta({ id: 'PersonalAccess' })
export type Access = z.infer<typeof PersonalAccess>

export const PersonalAccesses = z
  .object({
    customerID: customerNumber,
    createdDate: timestamp.describe('When this report was made.'),
    isComplete: z.boolean().describe('False: there are more, and these are the newest. Ask for less time.'),
    data: z.array(PersonalAccess),
  })
  .meta({ id: 'PersonalAccesses' })
export type PersonalAccesses = z.infer<typeof PersonalAccesses>

export const AccessesQuery = z.object({ from: dateOrTimestamp.optional(), to: dateOrTimestamp.optional() })
