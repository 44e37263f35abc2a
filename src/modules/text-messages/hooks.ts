import { AppError } from '../../domain/errors.ts'
import type { Actor, Database } from '../../platform/database/tx.ts'
import type { Hook } from '../../platform/http/hooks.ts'
import { markUndelivered } from '../emails/queries.ts'
import { receiveReply } from './replies.ts'
import { isSigned, STATUS_PATH, STOPPED } from './twilio.ts'

const PATH = '/hooks/twilio'
const actor: Actor = { name: 'text-messages' }

// Twilio reports every answer that is not TwiML to the operator: https://www.twilio.com/docs/api/errors/12300
const answer = { contentType: 'text/xml', body: '<Response/>' }

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
