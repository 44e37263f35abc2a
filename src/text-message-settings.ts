import { z } from 'zod'
import type { TwilioSettings } from './modules/text-messages/twilio.ts'

/** Text messages by Twilio; config.ts includes them. */
export const textMessageSettings = {
  TWILIO_ACCOUNT_SID: {
    schema: z.string().regex(/^AC[0-9a-f]{32}$/),
    must: 'the SID of an account: AC and 32 hexadecimal digits',
    example: 'AC0123456789abcdef0123456789abcdef',
    help: 'sends text messages by this account of Twilio, with TWILIO_AUTH_TOKEN and TWILIO_FROM',
  },
  TWILIO_AUTH_TOKEN: {
    schema: z.string().min(16),
    must: "the account's auth token, at least 16 characters",
    example: '<what Twilio shows for the account>',
    help: 'signs in to Twilio, and verifies what it sends to /hooks/twilio',
  },
  TWILIO_FROM: {
    schema: z.string().regex(/^(\+[1-9]\d{4,14}|MG[0-9a-f]{32})$/),
    must: 'a registered number such as +15550101234, or the MG… of a messaging service',
    example: '+15550101234',
    help: 'the sender of text messages',
  },
  TWILIO_API_URL: {
    schema: z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
    must: 'an http or https URL',
    example: 'http://127.0.0.1:4010',
    help: 'another host instead of Twilio, for tests',
  },
}

type Settings = typeof textMessageSettings
type Read = <T>(
  name: keyof Settings,
  setting: { schema: z.ZodType<T>; must: string; example: string; help: string },
) => T | undefined

/** All of them or none: one that is missing is told. */
export function readTextMessages(read: Read, problems: string[]): TwilioSettings | undefined {
  const of = (name: keyof Settings) => read<string>(name, textMessageSettings[name])
  const needed = {
    TWILIO_ACCOUNT_SID: of('TWILIO_ACCOUNT_SID'),
    TWILIO_AUTH_TOKEN: of('TWILIO_AUTH_TOKEN'),
    TWILIO_FROM: of('TWILIO_FROM'),
  }
  const [accountSid, authToken, from] = Object.values(needed)
  const apiUrl = of('TWILIO_API_URL')
  if (accountSid && authToken && from) return { accountSid, authToken, from, apiUrl: apiUrl?.replace(/\/+$/, '') }
  if (accountSid || authToken || from) {
    for (const [name, value] of Object.entries(needed))
      if (!value)
        problems.push(
          `${name} is missing beside the others of Twilio. For example: ${name}=${textMessageSettings[name as keyof Settings].example}`,
        )
  }
  return undefined
}
