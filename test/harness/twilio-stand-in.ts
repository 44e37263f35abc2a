import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Settings } from '../../src/settings.ts'

export interface TwilioStandIn {
  settings: NonNullable<Settings['twilio']>
  /** What was taken, in order. */
  messages: { to: string; from: string; text: string; statusCallback: string }[]
  /** The answers of the next requests, in order; then each message is taken. `lost`: it is taken, and nothing is answered. */
  faults: ({ status: number; code?: number } | 'lost')[]
  tries(): number
  /** Sends what somebody answered, signed for this address, or by another token. */
  reply(publicUrl: string, form: Record<string, string>, token?: string): Promise<number>
  /** Sends what became of a message to the address that the message named. */
  report(statusCallback: string, form: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

function post(url: string, form: Record<string, string>, token: string): Promise<Response> {
  const text = Object.keys(form)
    .sort()
    .reduce((all, name) => all + name + form[name], url)
  const signature = createHmac('sha1', token).update(text).digest('base64')
  const body = new URLSearchParams(form)
  return fetch(url, { method: 'POST', body, headers: { 'x-twilio-signature': signature } })
}

/** Serves the one call of Twilio's API that Kitlane makes, as its documentation describes it, on loopback. */
export async function startTwilioStandIn(): Promise<TwilioStandIn> {
  const [accountSid, authToken, from] = [`AC${'0'.repeat(32)}`, 'an-auth-token-of-twilio', '+15550100000']
  const messages: TwilioStandIn['messages'] = []
  const faults: TwilioStandIn['faults'] = []
  let tries = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      tries++
      const answer = (status: number, said: object) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said))
      const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
      if (request.headers.authorization !== basic) return answer(401, { code: 20003, status: 401 })
      if (request.url !== `/2010-04-01/Accounts/${accountSid}/Messages.json`) return answer(404, { code: 20404 })
      const fault = faults.shift()
      if (fault && fault !== 'lost') return answer(fault.status, { code: fault.code, status: fault.status })
      const form = new URLSearchParams(body)
      const [to, sender, text, statusCallback] = ['To', 'From', 'Body', 'StatusCallback'].map(
        (name) => form.get(name) ?? '',
      ) as [string, string, string, string]
      messages.push({ to, from: sender, text, statusCallback })
      if (fault === 'lost') return void request.socket.destroy()
      answer(201, { sid: `SM${String(messages.length).padStart(32, '0')}`, status: 'queued' })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    settings: { accountSid, authToken, from, apiUrl: `http://127.0.0.1:${port}` },
    messages,
    faults,
    tries: () => tries,
    async reply(publicUrl, form, token = authToken) {
      return (await post(`${publicUrl}/hooks/twilio`, form, token)).status
    },
    report: (statusCallback, form) => post(statusCallback, form, authToken),
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
