import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  raw: string
}

/** Whether a message says that an account signed in from a new browser. Tests of other e-mails leave them out. */
export const isNewDeviceMail = ({ raw }: Received): boolean => /^Subject: .*signed in from a new browser/m.test(raw)

/** A fault for the next message: refused with a code at RCPT or after DATA, or disconnected before the answer. */
export type Fault = { at: 'rcpt' | 'data'; code: number } | { at: 'answer' }

export interface MailServer {
  url: string
  port: number
  /** Complete messages, including those whose answer was lost. */
  received: Received[]
  /** One fault per message, in order. Messages after the last fault are accepted. */
  faults: Fault[]
  /** The number of delivery attempts. */
  tries(): number
  stop(): Promise<void>
}

class Refusal extends Error {
  readonly responseCode: number
  constructor(code: number) {
    super('refused by the test')
    this.responseCode = code
  }
}

/** Starts a real mail server on loopback. It accepts every message that has no fault. */
export async function startMailServer(port = 0): Promise<MailServer> {
  const received: Received[] = []
  const faults: Fault[] = []
  let tries = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onMailFrom(_address, _session, done) {
      tries++
      done()
    },
    onRcptTo(_address, _session, done) {
      const [next] = faults
      if (next?.at !== 'rcpt') return done()
      faults.shift()
      done(new Refusal(next.code))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const fault = faults.shift()
        if (fault?.at === 'data') return done(new Refusal(fault.code))
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        received.push({ from: mailFrom ? mailFrom.address : '', to, raw: Buffer.concat(chunks).toString('utf8') })
        if (fault?.at !== 'answer') return done()
        for (const connection of server.connections) connection.close()
      })
    },
  })
  // The tests disconnect clients on purpose.
  server.on('error', () => {})
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const found = (server.server.address() as AddressInfo).port
  return {
    url: `smtp://127.0.0.1:${found}`,
    port: found,
    received,
    faults,
    tries: () => tries,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export interface ParsedMail {
  /** Names in lower case, values unfolded and decoded. */
  headers: Map<string, string>
  text: string
  html: string
}

/** Parses headers, text and HTML of a message strictly by RFC 5322, 2045 and 2047. */
export function parseMail(raw: string): ParsedMail {
  const whole = partOf(raw)
  const boundary = /boundary="([^"]+)"/.exec(whole.headers.get('content-type') ?? '')?.[1]
  if (!boundary) throw new Error('the message is not in parts')
  const parts = whole.body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, '')))
  const ofType = (type: string) => {
    const part = parts.find(({ headers }) => headers.get('content-type')?.startsWith(type))
    if (!part) throw new Error(`the message has no ${type}`)
    return decode(part.body, part.headers.get('content-transfer-encoding') ?? '7bit')
  }
  return { headers: whole.headers, text: ofType('text/plain'), html: ofType('text/html') }
}

function partOf(raw: string): { headers: Map<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const at = line.indexOf(':')
    const name = line.slice(0, at).toLowerCase()
    if (headers.has(name)) throw new Error(`the header ${name} comes twice`)
    headers.set(name, words(line.slice(at + 1).trim()))
  }
  return { headers, body: raw.slice(end + 4) }
}

const words = (value: string) =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    )

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
