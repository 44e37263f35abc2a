import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { Customer, CustomerReport } from '../customers/schema.ts'
import { BriefEmail } from '../emails/brief.ts'
import { ConsentEntry } from '../kits/consent/schema.ts'
import { KitRecord } from '../kits/schema.ts'

const { id, name, external_id, dateOfBirth, gender, email, guardian } = Customer.shape

export const OperatorPerson = z
  .object({
    business: z.object({ id: z.string(), name: z.string() }),
    mode: z.enum(['live', 'sandbox']),
    ...{ id, name, external_id, dateOfBirth, gender },
    createdDate: timestamp,
    email: email.optional().describe('For the scope `lab` only. Empty for a minor.'),
    guardian: guardian.describe('Who registered a minor; for the scope `lab` only.'),
    kits: z.array(KitRecord).describe('The newest 250.'),
    panels: z.array(z.object({ kitType: z.string(), name: z.string() })).describe('What the kit types are called.'),
    reports: z.array(CustomerReport).describe('Newest first: which there are and where they are, no results.'),
    consents: z.array(z.object({ kitID: z.string(), entries: z.array(ConsentEntry) })).describe('By kit.'),
    emails: z.array(BriefEmail).optional().describe('Newest first; for the scope `mail` only.'),
  })
  .meta({ id: 'OperatorPerson' })
export type OperatorPerson = z.infer<typeof OperatorPerson>
