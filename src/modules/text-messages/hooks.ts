import { AppError } from '../../domain/errors.ts'
import type { Database } from '../../platform/database/tx.ts'
import type { Hook } from '../../platform/http/hooks.ts'
import { receiveReply } from './replies.ts'
import { isSigned } from './twilio.ts'

const PATH = '/hooks/twilio'

/** Where Twilio sends what people answer. */
export const twilioHook = (database: Database, authToken: string | undefined): Hook => ({
  path: PATH,
  async receive(rawBody, headers) {
    if (!authToken)
      throw new AppError('ROUTE_NOT_FOUND', 'This hook is off: set TWILIO_AUTH_TOKEN and start Kitlane again')
    const form = new URLSearchParams(rawBody.toString())
    const url = `${database.context.publicUrl}${PATH}`
    if (!isSigned(url, form, String(headers['x-twilio-signature'] ?? ''), authToken))
      throw new AppError('VALIDATION_FAILED', `The request is not signed by Twilio for ${url}: is PUBLIC_URL right?`)
    const [from, body] = [form.get('From') ?? '', form.get('Body') ?? '']
    await receiveReply(database, { from, body, optOutType: form.get('OptOutType') })
  },
})
