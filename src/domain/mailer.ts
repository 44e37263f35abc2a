/** The longest that sending one message may take. */
export const SEND_TIMEOUT_MS = 60_000

/** Sends e-mail. */
export interface Mailer {
  /**
   * Hands one message to the mail server. A repeated message carries the same Message-ID.
   * @throws MailRefused when it will never be taken, MailDelayed when it may be taken later
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

export interface Message {
  /** Determines the Message-ID. */
  id: string
  to: string
  senderName: string
  replyTo?: string
  /** Where it is stopped by a POST without questions: RFC 8058. */
  unsubscribe?: string
  subject: string
  text: string
  html: string
  date: Date
}

/** `code`: a short word such as `smtp_550` or `timeout`. Never the server's text, which quotes addresses. */
class MailError extends Error {
  readonly code: string
  constructor(name: string, code: string) {
    super('an e-mail was not taken')
    this.name = name
    this.code = code
  }
}

/** The server refused this message for good: a retry would be refused again. */
export class MailRefused extends MailError {
  constructor(code: string) {
    super('MailRefused', code)
  }
}

/** The message was not accepted, or the outcome is unknown because the connection broke before the answer. */
export class MailDelayed extends MailError {
  constructor(code: string) {
    super('MailDelayed', code)
  }
}
