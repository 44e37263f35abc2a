import { z } from 'zod'
import { anyText, text, timestamp } from '../../platform/http/fields.ts'

export const TextConsentInput = z
  .object({
    phone: anyText(40).describe('With its country: `+1 555 010 1234`. It is kept as E.164.'),
    wording: text(2000).describe('What the person agreed to, word for word: carriers ask for it as proof.'),
    agreedDate: timestamp.optional().describe('When they agreed. Absent: now. Not in the future.'),
  })
  .meta({ id: 'TextConsentInput' })
export type TextConsentInput = z.infer<typeof TextConsentInput>

export const TextConsent = z
  .object({
    customerID: z.int(),
    phone: z.string().describe('E.164.'),
    wording: z.string().describe('What the person agreed to, word for word.'),
    source: z.enum(['page', 'api', 'reply']).describe('page: on their own page. reply: they answered START.'),
    agreedDate: timestamp,
    endedDate: timestamp.optional().describe('Absent: they get text messages.'),
    endedBy: z
      .enum(['person', 'business', 'reply', 'carrier'])
      .optional()
      .describe('person: on their own page. reply: they answered STOP. carrier: it takes no messages for them.'),
  })
  .meta({ id: 'TextConsent' })
export type TextConsent = z.infer<typeof TextConsent>
