import { AppError } from '../../domain/errors.ts'
import { maybeFindLanguage, translatorOf } from '../../domain/translations/translator.ts'
import { constantTimeEqual } from '../../platform/crypto.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import type { Hook } from '../../platform/http/hooks.ts'
import * as customers from '../customers/service.ts'
import { markUndelivered, selectBrand } from '../emails/queries.ts'
import { type ConsentOfNumber, deleteStop, insertStop, selectConsentsOfNumber } from './queries.ts'
import { type Reply, replyOf } from './rules.ts'
import { agree, end, queueUnscheduled } from './service.ts'
import { STATUS_PATH, STOPPED, signatureOf } from './twilio.ts'

const PATH = '/hooks/twilio'
const actor: Actor = { name: 'text-messages' }

// Twilio reports every answer that is not TwiML to the operator: https://www.twilio.com/docs/api/errors/12300
const answer = { contentType: 'text/xml', body: '<Response/>' }

const optOutTypes: Readonly<Record<string, Reply>> = { STOP: 'stop', START: 'start', HELP: 'help' }

/** What Twilio made of it counts too: an operator may set other words there. STOP wins, whichever of the two read it. */
function meant(body: string, optOutType: string | null): Reply | undefined {
  const read = replyOf(body)
  return read === 'stop' ? read : (optOutTypes[optOutType?.trim().toUpperCase() ?? ''] ?? read)
}

/**
 * What somebody answered from a number. STOP ends the text messages of every business to it, and of those that ask later; START
 * begins those again that an answer ended; HELP is answered, unless the carrier did. Anything else changes nothing.
 */
async function receiveReply(
  database: Database,
  { from, body, optOutType }: { from: string; body: string; optOutType: string | null },
): Promise<void> {
  const reply = meant(body, optOutType)
  if (!reply) return
  if (reply === 'stop') await database.asSystem(actor, (tx) => insertStop(tx, from, 'reply'))
  if (reply === 'start') await database.asSystem(actor, (tx) => deleteStop(tx, from, 'reply'))
  const consents = await database.asSystem(actor, (tx) => selectConsentsOfNumber(tx, from))
  const chosen =
    reply === 'help'
      ? consents.filter(({ endedAt }) => endedAt === null).slice(0, optOutType === null ? 1 : 0)
      : consents
  for (const consent of chosen) await take(database, reply, consent)
}

const take = (database: Database, reply: Reply, consent: ConsentOfNumber) =>
  database.inRealm(consent.realm, actor, async (tx) => {
    const { customerId, phone, wording, ip, endedBy } = consent
    if (reply === 'stop') await end(tx, customerId, 'reply')
    else if (reply === 'start') {
      if (endedBy === 'reply' || endedBy === 'carrier')
        await agree(tx, customerId, { phone, wording, ip, source: 'reply', at: tx.now })
    } else {
      const t = translatorOf(maybeFindLanguage([await customers.languageOf(tx, customerId)]) ?? 'en')
      const { name, contactEmail } = await selectBrand(tx)
      const text = contactEmail
        ? t('text.helpWrite', { business: name, email: contactEmail })
        : t('text.help', { business: name })
      await queueUnscheduled(tx, { kind: 'text_help', to: phone, text })
    }
  })

/** Whether Twilio signed a form for this address. */
const isSigned = (url: string, form: URLSearchParams, signature: string, authToken: string): boolean =>
  constantTimeEqual(signature, signatureOf(url, form, authToken))

/** Where Twilio sends what people answer, and what became of a message. */
export function twilioHooks(database: Database, authToken: string | undefined): Hook[] {
  function read(rawBody: Buffer, headers: Parameters<Hook['receive']>[1], path: string): URLSearchParams {
    if (!authToken)
      throw new AppError('ROUTE_NOT_FOUND', 'This hook is off: set TWILIO_AUTH_TOKEN and start Kitlane again')
    const form = new URLSearchParams(rawBody.toString())
    const url = `${database.context.publicUrl}${path}`
    if (isSigned(url, form, String(headers['x-twilio-signature'] ?? ''), authToken)) return form
    throw new AppError('VALIDATION_FAILED', `The request is not signed by Twilio for ${url}: is PUBLIC_URL right?`)
  }
  return [
    {
      path: PATH,
      answer,
      async receive(rawBody, headers) {
        const form = read(rawBody, headers, PATH)
        const [from, body] = [form.get('From') ?? '', form.get('Body') ?? '']
        await receiveReply(database, { from, body, optOutType: form.get('OptOutType') })
      },
    },
    {
      path: `${STATUS_PATH}/:messageId`,
      answer,
      async receive(rawBody, headers, { messageId = '' }) {
        const form = read(rawBody, headers, `${STATUS_PATH}/${messageId}`)
        // The others are steps on the way, and `delivered`. They come in any order; these two are the end.
        if (!['failed', 'undelivered'].includes(form.get('MessageStatus') ?? '')) return
        const code = `twilio_${Number(form.get('ErrorCode')) || 'undelivered'}`
        await database.asSystem(actor, (tx) => markUndelivered(tx, messageId, code))
        if (code === STOPPED) await receiveReply(database, { from: form.get('To') ?? '', body: '', optOutType: 'STOP' })
      },
    },
  ]
}
