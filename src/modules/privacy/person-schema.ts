import { z } from 'zod'
import { businessName } from '../../domain/id-fields.ts'
import { timestamp } from '../../platform/http/fields.ts'
import { Customer, CustomerReport } from '../customers/schema.ts'
import { BriefEmail } from '../emails/brief.ts'
import { ConsentEntry } from '../kits/consent/schema.ts'
import { KitRecord } from '../kits/schema.ts'

const PersonReport = CustomerReport.pick({ id: true, kitID: true, collectedDate: true, status: true })

const { type, at, research, name: whose, outcome } = ConsentEntry.shape
const PersonConsent = z.object({
  kitID: z.string(),
  type,
  at,
  research,
  name: whose,
  outcome,
})

const { id, name, external_id, dateOfBirth, gender, email, guardian } = Customer.shape

export const OperatorPerson = z
  .object({
    business: businessName,
    id,
    name,
    external_id,
    dateOfBirth,
    gender,
    createdDate: timestamp,
    email: email.optional().describe('For the scope `lab` only. Empty for a minor.'),
    guardian: guardian.describe('Who registered a minor; for the scope `lab` only.'),
    kits: z.array(KitRecord).describe('The newest 250.'),
    panels: z.array(z.object({ kitType: z.string(), name: z.string() })).describe('What the kit types are called.'),
    reports: z.array(PersonReport).describe('Newest first: which there are and where they are, no results.'),
    consents: z.array(PersonConsent).describe('Oldest first, by kit.'),
    emails: z.array(BriefEmail).optional().describe('Newest first; for the scope `mail` only.'),
  })
  .meta({ id: 'OperatorPerson' })
export type OperatorPerson = z.infer<typeof OperatorPerson>
