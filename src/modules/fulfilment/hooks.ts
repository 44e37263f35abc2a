import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { constantTimeEqual } from '../../platform/crypto.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { Hook } from '../../platform/http/hooks.ts'
import { issueDetails, refuse } from '../../platform/http/validate.ts'
import type { Settings } from '../../settings.ts'
import { receiveCarrierEvents } from './carrier.ts'
import { fromEasyPost, isSigned } from './easypost.ts'
import { type CarrierEvent, CarrierEvents } from './schema.ts'
import { fromShipBob } from './shipbob.ts'
import { fromShippo } from './shippo.ts'
import { fromShipStation } from './shipstation.ts'

type CarrierSettings = Pick<
  Settings,
  | 'carrierWebhookSecret'
  | 'easypostWebhookSecret'
  | 'shipbobWebhookSecret'
  | 'shippoWebhookToken'
  | 'shipstationWebhookToken'
>

/** Where carriers, or services that track parcels, send events. Each hook is off without its secret. */
export const carrierHooks = (database: Database, settings: CarrierSettings): Hook[] => [
  {
    path: '/hooks/carrier',
    async receive(rawBody, headers) {
      const { id } = verify('CARRIER_WEBHOOK_SECRET', settings.carrierWebhookSecret, rawBody, headers)
      const events = readEvents(json(rawBody)).map((event, index) => ({ ...event, id: event.id ?? `${id}/${index}` }))
      await take(database, 'webhook', events)
    },
  },
  {
    path: '/hooks/easypost',
    async receive(rawBody, headers) {
      const secret = secretOf('EASYPOST_WEBHOOK_SECRET', settings.easypostWebhookSecret)
      if (!isSigned(rawBody, String(headers['x-hmac-signature'] ?? ''), secret)) throw unsigned('EasyPost')
      const event = fromEasyPost(json(rawBody))
      if (event) await take(database, 'easypost', [event])
    },
  },
  {
    path: '/hooks/shippo',
    async receive(rawBody, _headers, _params, { token }) {
      checkToken('SHIPPO_WEBHOOK_TOKEN', settings.shippoWebhookToken, token)
      const event = fromShippo(json(rawBody))
      if (event) await take(database, 'shippo', [event])
    },
  },
  {
    path: '/hooks/shipstation',
    async receive(rawBody, headers, _params, { token }) {
      checkToken('SHIPSTATION_WEBHOOK_TOKEN', settings.shipstationWebhookToken, token)
      const event = fromShipStation(json(rawBody), String(headers['x-shipengine-timestamp'] ?? ''))
      if (event) await take(database, 'shipstation', [event])
    },
  },
  {
    path: '/hooks/shipbob',
    async receive(rawBody, headers) {
      const sent = verify('SHIPBOB_WEBHOOK_SECRET', settings.shipbobWebhookSecret, rawBody, headers)
      const event = fromShipBob(json(rawBody), { ...sent, topic: String(headers['x-webhook-topic'] ?? '') })
      if (event) await take(database, 'shipbob', [event])
    },
  },
]

const take = (database: Database, source: string, events: readonly CarrierEvent[]) =>
  database.asSystem({ name: `carrier:${source}` }, (tx) => receiveCarrierEvents(tx, source, events))

function secretOf(setting: string, secret: string | undefined): string {
  if (secret) return secret
  throw new AppError('ROUTE_NOT_FOUND', `This hook is off: set ${setting} and start Kitlane again`)
}

const unsigned = (whom: string) =>
  new AppError('VALIDATION_FAILED', `The webhook is not signed with the secret of ${whom}, or it is too old`)

function checkToken(setting: string, secret: string | undefined, token: unknown): void {
  const known = secretOf(setting, secret)
  if (typeof token !== 'string' || !constantTimeEqual(token, known)) throw unsigned(setting)
}

/** The ID and the time of a message that is signed as Standard Webhooks specifies. */
function verify(
  setting: string,
  secret: string | undefined,
  rawBody: Buffer,
  headers: Parameters<Hook['receive']>[1],
): { id: string; at: Date } {
  const webhook = new Webhook(secretOf(setting, secret))
  const given = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name] ?? '')]),
  )
  try {
    webhook.verify(rawBody.toString(), given, { jsonParse: false })
  } catch {
    // The library's error tells which part was wrong: an attacker must not see it.
    throw unsigned(setting)
  }
  return { id: given['webhook-id'] ?? '', at: new Date(Number(given['webhook-timestamp']) * 1000) }
}

function json(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString())
  } catch {
    throw new AppError('VALIDATION_FAILED', 'The body is not well-formed JSON')
  }
}

const Envelope = z.object({ data: z.unknown() })

/** One event, several, or either as the `data` of a Standard Webhooks message. */
function readEvents(body: unknown): CarrierEvent[] {
  const enveloped = Envelope.safeParse(body)
  const given = enveloped.success && enveloped.data.data !== undefined ? enveloped.data.data : body
  const parsed = CarrierEvents.safeParse(Array.isArray(given) ? given : [given])
  return parsed.success ? parsed.data : refuse(issueDetails(parsed.error))
}
