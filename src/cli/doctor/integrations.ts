import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import { modulesOf } from '../../modules/define-module.ts'
import { signatureOf } from '../../modules/fulfilment/easypost.ts'
import { STATUS_PATH, signatureOf as twilioSignatureOf } from '../../modules/text-messages/twilio.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { Egress } from '../../platform/egress/client.ts'
import { toEgressError } from '../../platform/egress/errors.ts'
import { realmPorts } from '../../platform/ports/realm-ports.ts'
import type { Opened } from '../../service/open.ts'
import type { Settings } from '../../settings.ts'
import { operator } from '../session.ts'
import { reasonOf } from './figures.ts'
import { selectProviders } from './queries.ts'

const TIMEOUT_MS = 10_000
const READ_BYTES = 64 * 1024
const isOk = (status: number): boolean => status === 200
const JSON_TYPE = { 'content-type': 'application/json' }

/** What another system sends, played in its own form. None of them changes anything. */
interface Play {
  about: string
  /** The setting without which it is off. */
  setting: string
  request?: { path: string; headers: Record<string, string>; body: string }
  /** Whether an answer shows that the service took the message for what it is. Default: 200. */
  isTaken?: (status: number, body: string) => boolean
}

/** The address that other systems call, and what sends there. */
function serviceOf(settings: Settings, egress: Egress) {
  const base = settings.publicUrl ?? `http://${settings.host}:${settings.port}`
  return {
    base,
    async send(path: string, init: { method: string; headers?: Record<string, string>; body?: string }) {
      const { status, body } = await egress.request({
        ...init,
        url: `${base}${path}`,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: READ_BYTES,
        policy: { hosts: [new URL(base).host], loopback: base.startsWith('http:') },
      })
      return { status, body: Buffer.from(body).toString() }
    },
  }
}

/** Plays what each module says that other systems send it. */
export async function* playModules(
  settings: Settings,
  { database, egress, portsOf, context }: Pick<Opened, 'database' | 'egress' | 'portsOf' | 'context'>,
): AsyncGenerator<Finding> {
  const { send } = serviceOf(settings, egress)
  for (const { name, plays } of modulesOf(context)) {
    const playing = plays?.({
      settings,
      database,
      actor: operator,
      realmPorts: (realm) => realmPorts(database, portsOf, realm, operator),
      send: (path, message) =>
        send(path, { method: 'POST', ...message }).then(
          ({ status }) => status,
          () => undefined,
        ),
    })
    try {
      if (playing) yield* playing
    } catch (error) {
      yield fail(name, `This could not be played (${reasonOf(error)}).`, 'Run this again.')
    }
  }
}

/** Sends to the running service what each connected system sends, signed with the secrets of the settings. */
export async function* playIntegrations(settings: Settings, egress: Egress): AsyncGenerator<Finding> {
  const { base, send } = serviceOf(settings, egress)
  try {
    await send('/health/live', { method: 'GET' })
  } catch (error) {
    const found = `The service does not answer at its address (${toEgressError(error).code}).`
    yield fail('service', found, 'Start it, and check PUBLIC_URL and the proxy: other systems call that address.')
    return
  }
  yield ok('service', 'It answers at the address that other systems call.')
  for (const { about, setting, request, isTaken = isOk } of playsOf(settings, base)) {
    if (!request) {
      yield warn(about, `Off: ${setting} is not set.`, `Set ${setting} if you use it.`)
      continue
    }
    const answer = await send(request.path, { method: 'POST', ...request }).catch((error: unknown) =>
      toEgressError(error),
    )
    if (!('status' in answer && 'body' in answer))
      yield fail(about, `No answer (${answer.code}).`, 'Check that the proxy lets POST /hooks and /operator through.')
    else if (isTaken(answer.status ?? 0, answer.body)) yield ok(about, 'The service takes it.')
    else
      yield fail(
        about,
        `The service refuses it (${answer.status}).`,
        `Start the service with the ${setting} of these settings, and check that the proxy passes the body on unchanged.`,
      )
  }
}

const play = (path: string, body: string, headers: Record<string, string>) => ({ path, body, headers })

function playsOf(settings: Settings, base: string): Play[] {
  const { carrierWebhookSecret, easypostWebhookSecret, shippoWebhookToken, stripe, twilio } = settings
  const { shipstationWebhookToken, shipbobWebhookSecret } = settings
  const seconds = Math.floor(Date.now() / 1000)
  // No event: the refusal names what is missing only where the signature was right.
  const none = '[]'
  const id = `msg_doctor_${seconds}`
  const standard = (secret: string) => ({
    ...JSON_TYPE,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': new Webhook(secret).sign(id, new Date(seconds * 1000), none),
  })
  const easypost = JSON.stringify({ id: 'evt_doctor', object: 'Event', description: 'batch.created', result: {} })
  const shipstation = JSON.stringify({ resource_url: base, resource_type: 'BATCH_PROCESSED_V2' })
  const shippo = JSON.stringify({ event: 'transaction_created', test: true, data: {} })
  const isLive = /^[sr]k_live_/.test(stripe.secretKey ?? '')
  const charge = { id: 'evt_doctor', object: 'event', livemode: isLive, type: 'balance.available', created: seconds }
  const balance = JSON.stringify({ ...charge, data: { object: { object: 'balance' } } })
  const report = new URLSearchParams({ MessageSid: 'SMdoctor', MessageStatus: 'sent' })
  return [
    {
      about: 'carriers',
      setting: 'CARRIER_WEBHOOK_SECRET',
      ...(carrierWebhookSecret && {
        request: play('/hooks/carrier', none, standard(carrierWebhookSecret)),
      }),
      isTaken: (status, body) => status === 400 && body.includes('"details"'),
    },
    {
      about: 'EasyPost',
      setting: 'EASYPOST_WEBHOOK_SECRET',
      ...(easypostWebhookSecret && {
        request: play('/hooks/easypost', easypost, {
          ...JSON_TYPE,
          'x-hmac-signature': signatureOf(Buffer.from(easypost), easypostWebhookSecret),
        }),
      }),
    },
    {
      about: 'Shippo',
      setting: 'SHIPPO_WEBHOOK_TOKEN',
      ...(shippoWebhookToken && {
        request: play(`/hooks/shippo?token=${encodeURIComponent(shippoWebhookToken)}`, shippo, JSON_TYPE),
      }),
    },
    {
      about: 'ShipStation',
      setting: 'SHIPSTATION_WEBHOOK_TOKEN',
      ...(shipstationWebhookToken && {
        request: play(`/hooks/shipstation?token=${shipstationWebhookToken}`, shipstation, JSON_TYPE),
      }),
    },
    {
      about: 'ShipBob',
      setting: 'SHIPBOB_WEBHOOK_SECRET',
      ...(shipbobWebhookSecret && { request: play('/hooks/shipbob', none, standard(shipbobWebhookSecret)) }),
    },
    {
      about: 'cards',
      setting: 'STRIPE_WEBHOOK_SECRET',
      ...(stripe.webhookSecret && {
        request: play('/hooks/stripe', balance, {
          ...JSON_TYPE,
          'stripe-signature': `t=${seconds},v1=${createHmac('sha256', stripe.webhookSecret).update(`${seconds}.${balance}`).digest('hex')}`,
        }),
      }),
    },
    {
      about: 'text messages',
      setting: 'TWILIO_AUTH_TOKEN',
      ...(twilio && {
        request: play(`${STATUS_PATH}/doctor`, report.toString(), {
          'content-type': 'application/x-www-form-urlencoded',
          'x-twilio-signature': twilioSignatureOf(`${base}${STATUS_PATH}/doctor`, report, twilio.authToken),
        }),
      }),
    },
    {
      about: 'laboratory',
      setting: 'PUBLIC_URL',
      // Without a token: the acknowledgement refuses it as a message of HL7.
      request: play('/operator/v1/lab/results', 'MSH|^~\\&|DOCTOR||||||ORU^R01|doctor|P|2.5.1\r', {
        'content-type': 'application/hl7-v2',
        accept: 'application/hl7-v2',
      }),
      isTaken: (status) => status === 401,
    },
  ]
}

/** Reads what each identity provider says of itself, as a sign-in does first. */
export async function checkProviders(database: Database, egress: Egress): Promise<Finding> {
  const providers = await database.asSystem(operator, selectProviders)
  if (providers.length === 0) return ok('single sign-on', 'No identity provider is connected.')
  const failed: string[] = []
  for (const { id, issuer } of providers) {
    const base = issuer.replace(/\/$/, '')
    const limits = { policy: 'public', timeoutMs: TIMEOUT_MS, maxResponseBytes: 512 * 1024 } as const
    try {
      const response = await egress.fetchWith(limits)(`${base}/.well-known/openid-configuration`)
      const { issuer: named } = (await response.json()) as { issuer?: unknown }
      if (String(named).replace(/\/$/, '') !== base) failed.push(`${id}: another issuer`)
    } catch (error) {
      failed.push(`${id}: ${error instanceof SyntaxError ? 'no discovery document' : toEgressError(error).code}`)
    }
  }
  if (failed.length === 0) return ok('single sign-on', `${providers.length} of ${providers.length} providers answer.`)
  return fail(
    'single sign-on',
    `${failed.length} of ${providers.length} providers would let nobody in (${failed.join(', ')}).`,
    'Compare the issuer in the dashboard, Single sign-on, with that of the provider.',
  )
}
