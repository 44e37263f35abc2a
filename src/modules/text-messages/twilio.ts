import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { MailDelayed, type Mailer, MailRefused } from '../../domain/mailer.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { EgressError } from '../../platform/egress/errors.ts'

export interface TwilioSettings {
  /** `AC…` */
  accountSid: string
  authToken: string
  /** The registered sender: a number in E.164, or the `MG…` of a messaging service. */
  from: string
  /** Another host, for tests. */
  apiUrl?: string | undefined
}

const API = 'https://api.twilio.com'
const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 16_384
const Refusal = z.object({ code: z.number() })
export const STATUS_PATH = '/hooks/twilio/messages'
/** The person has answered STOP. https://www.twilio.com/docs/api/errors/21610 */
export const STOPPED = 'twilio_21610'

/** Twilio may have taken the message although no answer says so. */
export class TextMaybeSent extends MailDelayed {}

// After these no byte of the request was sent.
const notSent = new Set<string>(['REFUSED_URL', 'REFUSED_ADDRESS', 'DNS', 'CONNECT', 'TLS', 'NOT_SENT'])

/**
 * Sends text messages by Twilio's REST API: one request each, for which its SDK of 20 MB is not needed. `publicUrl`: where Twilio
 * says what became of each.
 */
export function createTwilio(settings: TwilioSettings, egress: Egress, publicUrl: () => string | undefined): Mailer {
  const { accountSid, authToken, from, apiUrl } = settings
  const { host, protocol } = new URL(apiUrl ?? API)
  const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
  return {
    async send({ id, to, text }, signal) {
      // Twilio refuses messages that name an address which it cannot reach: https://www.twilio.com/docs/api/errors/21609
      const base = publicUrl()
      const isHeard = base !== undefined && (base.startsWith('https:') || apiUrl !== undefined)
      const answer = await egress
        .request({
          url: `${apiUrl ?? API}/2010-04-01/Accounts/${accountSid}/Messages.json`,
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({
            [sender]: from,
            To: to,
            Body: text,
            ...(isHeard && { StatusCallback: `${base}${STATUS_PATH}/${id}` }),
          }).toString(),
          timeoutMs: TIMEOUT_MS,
          maxResponseBytes: MAX_ANSWER_BYTES,
          policy: { hosts: [host], loopback: protocol === 'http:' },
          signal,
        })
        .catch((error: unknown) => {
          const code = error instanceof EgressError ? error.code : 'CONNECTION'
          throw new (notSent.has(code) ? MailDelayed : TextMaybeSent)(code.toLowerCase())
        })
      if (answer.status >= 200 && answer.status < 300) return
      const code = codeOf(answer.body) ?? answer.status
      // The account is the operator's to mend meanwhile: 401, 403, 404, 429.
      if (answer.status === 400) throw new MailRefused(`twilio_${code}`)
      throw new MailDelayed(`twilio_${code}`)
    },
  }
}

function codeOf(body: Buffer): number | undefined {
  try {
    return Refusal.safeParse(JSON.parse(body.toString())).data?.code
  } catch {
    // No JSON: the status says enough.
    return undefined
  }
}

/** The value of X-Twilio-Signature for a form. https://www.twilio.com/docs/usage/webhooks/webhooks-security */
export function signatureOf(url: string, form: URLSearchParams, authToken: string): string {
  const text = [...form]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .reduce((all, [name, value]) => all + name + value, url)
  return createHmac('sha1', authToken).update(text).digest('base64')
}
