import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { MailDelayed, type Mailer, MailRefused } from '../../domain/mailer.ts'
import { constantTimeEqual } from '../../platform/crypto.ts'
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
/** The person has answered STOP. https://www.twilio.com/docs/api/errors/21610 */
export const STOPPED = 'twilio_21610'

/** Sends text messages by Twilio's REST API: one request each, for which its SDK of 20 MB is not needed. */
export function createTwilio({ accountSid, authToken, from, apiUrl }: TwilioSettings, egress: Egress): Mailer {
  const { host, protocol } = new URL(apiUrl ?? API)
  const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From'
  return {
    async send({ to, text }, signal) {
      const answer = await egress
        .request({
          url: `${apiUrl ?? API}/2010-04-01/Accounts/${accountSid}/Messages.json`,
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ [sender]: from, To: to, Body: text }).toString(),
          timeoutMs: TIMEOUT_MS,
          maxResponseBytes: MAX_ANSWER_BYTES,
          policy: { hosts: [host], loopback: protocol === 'http:' },
          signal,
        })
        .catch((error: unknown) => {
          throw new MailDelayed(error instanceof EgressError ? error.code.toLowerCase() : 'connection')
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

/** Whether Twilio signed a form for this address. https://www.twilio.com/docs/usage/webhooks/webhooks-security */
export function isSigned(url: string, form: URLSearchParams, signature: string, authToken: string): boolean {
  const text = [...form]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .reduce((all, [name, value]) => all + name + value, url)
  return constantTimeEqual(signature, createHmac('sha1', authToken).update(text).digest('base64'))
}
