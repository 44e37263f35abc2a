import { createTransport, type NodemailerError, type SMTPTransportOptions } from 'nodemailer'
import { MailDelayed, type Mailer, MailRefused, SEND_TIMEOUT_MS } from '../../domain/mailer.ts'

// Of one step of the conversation.
const STEP_TIMEOUT_MS = 15_000

export interface SmtpSettings {
  /** `smtp://` or `smtps://user:password@host:port`; `?from=` is the sender's address. */
  smtpUrl: string
  /** Its host names the sender and the Message-IDs; default: the mail server's. */
  publicUrl?: string | undefined
}

/** Sends through the mail server that the operator chose; the only place that opens a connection to one. */
export function createSmtpMailer(settings: SmtpSettings): Mailer {
  const url = new URL(settings.smtpUrl)
  const domain = domainOf(settings.publicUrl ? new URL(settings.publicUrl) : url)
  const address = senderOf(url, domain)
  const transport = createTransport(transportOptions(url))
  return {
    async send({ id, to, senderName, replyTo, unsubscribe, subject, text, html, date }, signal) {
      try {
        await transport.sendMail({
          messageId: `<${id}@${domain}>`,
          envelope: { from: address, to: [to] },
          from: { name: senderName, address },
          to: { name: '', address: to },
          ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
          subject,
          text,
          html,
          date,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribe !== undefined && {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_TIMEOUT_MS)]),
        })
      } catch (error) {
        throw asMailError(error as NodemailerError)
      }
    },
  }
}

/** Connects, greets and logs in. Returns what went wrong as a short word, never the server's text. */
export async function tryMailServer({ smtpUrl }: SmtpSettings): Promise<string | undefined> {
  const transport = createTransport(transportOptions(new URL(smtpUrl)))
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return asMailError(error as NodemailerError).code
  } finally {
    transport.close()
  }
}

function transportOptions(url: URL): SMTPTransportOptions {
  const secure = url.protocol === 'smtps:'
  const [user, pass] = [url.username, url.password].map(decodeURIComponent)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    // A password never travels in clear.
    requireTLS: Boolean(user) && !secure,
    ...(user && { auth: { user, pass } }),
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    dnsTimeout: STEP_TIMEOUT_MS,
  }
}

// An address literal (RFC 5321, 4.1.3) where the server has no name.
function domainOf({ hostname }: URL): string {
  if (hostname.startsWith('[')) return `[IPv6:${hostname.slice(1, -1)}]`
  return /^[\d.]+$/.test(hostname) ? `[${hostname}]` : hostname
}

function senderOf(url: URL, domain: string): string {
  const user = decodeURIComponent(url.username)
  return url.searchParams.get('from') ?? (user.includes('@') ? user : `no-reply@${domain}`)
}

/** Only a refusal of the message itself is final. Greeting, TLS and log-in are the operator's to mend meanwhile. */
function asMailError({ code, permanent, responseCode }: NodemailerError): MailRefused | MailDelayed {
  const word = responseCode ? `smtp_${responseCode}` : (words[code ?? ''] ?? 'connection')
  const isAboutMessage = code === 'EENVELOPE' || code === 'EMESSAGE'
  // 530: the server wants a log-in that the settings do not give.
  if (isAboutMessage && permanent !== false && responseCode !== 530) return new MailRefused(word)
  return new MailDelayed(word)
}

const words: Record<string, string> = {
  EABORT: 'timeout',
  ETIMEDOUT: 'timeout',
  EDNS: 'dns',
  ETLS: 'tls',
  EAUTH: 'login',
  ENOAUTH: 'login',
  EENVELOPE: 'address',
  EMESSAGE: 'message',
}
