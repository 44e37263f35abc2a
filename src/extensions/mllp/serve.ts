import { setTimeout as delay } from 'node:timers/promises'
import { StartError } from '../../domain/errors.ts'
import { type Finding, fail, ok, warn } from '../../domain/finding.ts'
import type { Playing } from '../../modules/define-module.ts'
import { takenInAt } from '../../modules/lab-orders/hl7.ts'
import { askOwnPort } from '../../platform/egress/ask-port.ts'
import { AddressList } from '../../platform/http/address-list.ts'
import { acknowledgement, outcomesOf } from '../../platform/http/hl7.ts'
import type { PerformRequest } from '../../platform/http/perform.ts'
import { type Attended, openPort, type PortListener, type Socket } from '../../platform/http/tcp-port.ts'
import type { Logger } from '../../platform/log.ts'
import { framed, framesUpTo } from '../../platform/mllp-frames.ts'
import type { Settings } from '../../settings.ts'

// The limit of the routes that take messages in: one byte more is refused there.
const MAX_MESSAGE_BYTES = 2 * 1024 * 1024
/** Such a message is performed at the length that it came in: without its token it would fit, and what was cut off were lost. */
const isCut = (message: Buffer): boolean => message.length > MAX_MESSAGE_BYTES
const MAX_CONNECTIONS = 200
// As long as a request over HTTP has to arrive.
const MESSAGE_MS = 30_000
/** A connection that shows no token that counts is closed after this time; others may stay silent for as long as they like. */
const STRANGER_MS = 30_000
// A busy service asks callers of HTTP to come again after a second, which MLLP has no words for. Senders often wait only 5 s.
const AGAIN_MS = 1000
const TRIES = 4

const privateNetworks = new AddressList([
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['::1', 'fc00::/7', 'fe80::/10'],
])

export interface MllpOptions {
  settings: NonNullable<Settings['mllp']>
  log: Logger
  perform: PerformRequest
  now: () => Date
  messageMs?: number
  strangerMs?: number
  againMs?: number
}

/** Listens for HL7 v2 over MLLP, and acknowledges each message by what the route of results answers. @throws StartError */
export async function serveMllp(options: MllpOptions): Promise<PortListener> {
  const { settings, log } = options
  const { port, host, tlsCertificate: cert, tlsKey: key } = settings
  const isPlain = !cert || !key
  if (isPlain && (cert || key)) throw new StartError('MLLP_TLS_CERTIFICATE and MLLP_TLS_KEY belong together: set both')
  if (isPlain && host !== 'localhost' && !privateNetworks.includes(host)) {
    throw new StartError(
      `MLLP without TLS is for this machine and private networks: set MLLP_TLS_CERTIFICATE and MLLP_TLS_KEY, or an MLLP_HOST such as 127.0.0.1`,
    )
  }
  try {
    return await openPort({
      port,
      host,
      tls: isPlain ? undefined : { cert, key },
      maxConnections: MAX_CONNECTIONS,
      isAllowed: (address) => !isPlain || privateNetworks.includes(address),
      attend: (socket) => attend(socket, options),
      log,
    })
  } catch (err) {
    const { code = '', syscall } = err as NodeJS.ErrnoException
    const sentence = syscall ? notOpened[code] : code.startsWith('ERR_OSSL') && NOT_A_PAIR
    throw sentence ? new StartError(sentence, { cause: err }) : err
  }
}

const NOT_A_PAIR = 'MLLP_TLS_CERTIFICATE and MLLP_TLS_KEY must be a certificate and its own key, in PEM'
const notOpened: Readonly<Record<string, string>> = {
  EADDRINUSE: 'MLLP_PORT is in use by another program: choose another, for example MLLP_PORT=2576',
  EACCES: 'MLLP_PORT may not be opened by this user: choose one above 1023, for example MLLP_PORT=2575',
  EADDRNOTAVAIL: 'MLLP_HOST is not an address of this machine',
  ENOTFOUND: 'MLLP_HOST is not an address of this machine',
}

// The header of a message, a batch or a file, after a byte order mark as its bytes read in latin1.
const HEADER = /((?:^|[\r\n])(?:\xef\xbb\xbf)?[\t ]*)((?:FHS|BHS|MSH)([^\w\s])[^\r\n]*)/gi
/** Security: the eighth field of each of them. */
const SECURITY = 7

/**
 * A message without what stands in MSH-8 (FHS-8, BHS-8), and the first of these: the token. It is taken out, so that no file, queue
 * or log holds it.
 */
export function withoutToken(message: Buffer): { token: string | undefined; body: Buffer } {
  let token: string | undefined
  // As latin1 every byte is one character, whatever the character set of the message.
  const text = message.toString('latin1').replaceAll(HEADER, (_, before: string, line: string, separator: string) => {
    const fields = line.split(separator)
    const sent = fields[SECURITY]?.trim()
    if (!sent) return before + line
    token ??= sent
    return before + fields.with(SECURITY, '').join(separator)
  })
  return { token, body: Buffer.from(text, 'latin1') }
}

/** Answers the messages of a connection, one after the other. While one is performed, nothing more is read. */
function attend(socket: Socket, options: MllpOptions): Attended {
  const { log, messageMs = MESSAGE_MS, strangerMs = STRANGER_MS } = options
  const frames = framesUpTo(MAX_MESSAGE_BYTES)
  let isLeaving = false
  let isBusy = false
  let late: NodeJS.Timeout | undefined
  let isKnown = false
  let stranger = setTimeout(() => socket.destroy(), strangerMs)
  socket.setKeepAlive(true, 60_000).setNoDelay(true)
  // A connection that breaks needs no word: what was not acknowledged is sent again.
  socket.on('error', (err) => log.debug({ err }, 'a connection of MLLP broke'))
  const read = async () => {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      isBusy = true
      for (const message of frames.read(bytes)) {
        clearTimeout(late)
        clearTimeout(stranger)
        late = undefined
        const { token, body } = withoutToken(message)
        const sent = {
          token,
          body: isCut(message) ? Buffer.concat([body, Buffer.alloc(message.length)], message.length) : body,
        }
        const { status, payload } = await perform(sent, socket, options)
        isKnown ||= status !== 401 && status !== 403
        if (!isKnown) stranger = setTimeout(() => socket.destroy(), strangerMs)
        const outcome = status === 401 ? { status, error: unknownToken(token) } : outcomesOf(status, payload)
        const text = acknowledgement(body, outcome, options.now())
        if (text) await written(socket, text, messageMs)
        if (isLeaving) return
      }
      isBusy = false
      if (isLeaving) return
      if (!frames.isInside()) clearTimeout(late)
      late = frames.isInside() ? (late ?? setTimeout(() => socket.destroy(), messageMs)) : undefined
    }
  }
  const done = read()
    .catch((err) => log.debug({ err }, 'a connection of MLLP broke'))
    .finally(() => {
      clearTimeout(late)
      clearTimeout(stranger)
      socket.end()
    })
  return {
    done,
    leave() {
      isLeaving = true
      if (!isBusy) socket.destroy()
    },
  }
}

/** The route speaks of its header. */
const unknownToken = (token: string | undefined) => ({
  code: 'UNAUTHORIZED',
  message: token
    ? 'The token in MSH-8 is unknown, revoked or expired'
    : 'MSH-8 holds no token: put one of the operator with the scope results there',
})

type Sent = ReturnType<typeof withoutToken>

/**
 * Performs the request of HTTP that says the same: credential, limits, reading and storing are those of the route. Its answer is
 * acknowledged here, since a request that is refused unread names no message.
 */
async function perform({ token, body }: Sent, socket: Socket, options: MllpOptions): ReturnType<PerformRequest> {
  for (let tries = 1; ; tries++) {
    const answer = await options.perform({
      method: 'POST',
      url: takenInAt(body),
      remoteAddress: socket.remoteAddress ?? '',
      headers: {
        ...(token && { authorization: `Token ${token}` }),
        'content-type': 'application/hl7-v2',
        accept: 'application/json',
        'user-agent': 'mllp',
      },
      body,
    })
    if (answer.status !== 503 || tries === TRIES || socket.destroyed) return answer
    await delay(options.againMs ?? AGAIN_MS)
  }
}

/** Returns once the acknowledgement has left this process; a sender that does not read it is hung up on. */
async function written(socket: Socket, text: string, withinMs: number): Promise<void> {
  const late = setTimeout(() => socket.destroy(), withinMs)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.write(framed(text), (err) => (err ? reject(err) : resolve()))
    })
  } finally {
    clearTimeout(late)
  }
}

const TIMEOUT_MS = 10_000
const READ_BYTES = 64 * 1024
const CONTROL_ID = 'doctor'
// Without a token: the acknowledgement refuses it, and nothing is kept.
const MESSAGE = `MSH|^~\\&|DOCTOR||||||ORU^R01|${CONTROL_ID}|P|2.5.1\r`
const EVERY_ADDRESS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Sends the listener a message as a laboratory does, and reads its acknowledgement. */
export async function* playMllp({ settings }: Playing): AsyncGenerator<Finding> {
  const { mllp } = settings
  if (!mllp) {
    yield warn('MLLP', 'Off: MLLP_PORT is not set.', 'Set MLLP_PORT if a laboratory sends over MLLP.')
    return
  }
  const answer = await acknowledgementOf(mllp).catch((error: NodeJS.ErrnoException) => error)
  if (answer instanceof Error)
    yield fail(
      'MLLP',
      `The listener gives no acknowledgement (${'code' in answer ? answer.code : 'TIMEOUT'}).`,
      'Start the service with the MLLP_PORT, MLLP_HOST and MLLP_TLS_… of these settings, on this machine.',
    )
  else if (new RegExp(`\\rMSA\\|A[ER]\\|${CONTROL_ID}\\b`).test(answer))
    yield ok('MLLP', 'The listener acknowledges a message, and refuses it since it has no token in MSH-8.')
  else
    yield fail(
      'MLLP',
      'Something else than Kitlane answers at MLLP_PORT.',
      'Choose another port, for example MLLP_PORT=2576.',
    )
}

function acknowledgementOf({ port, host, tlsCertificate }: NonNullable<Settings['mllp']>): Promise<string> {
  const frames = framesUpTo(READ_BYTES)
  return askOwnPort(
    {
      port,
      host: EVERY_ADDRESS[host] ?? host,
      isTls: tlsCertificate !== undefined,
      message: framed(MESSAGE),
      timeoutMs: TIMEOUT_MS,
    },
    (bytes) => frames.read(bytes)[0]?.toString(),
  )
}
