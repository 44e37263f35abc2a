/** No message is under way for longer than this. */
export const SEND_TIMEOUT_MS = 60_000

/** Who brings e-mail on its way. */
export interface Mailer {
  /**
   * Hands one message over. What is handed over twice carries the same Message-ID.
   * @throws MailRefused when it will never be taken, MailDelayed when it may be taken later
   */
  send(message: Message, signal: AbortSignal): Promise<void>
}

export interface Message {
  /** The Message-ID is made of it. */
  id: string
  to: string
  senderName: string
  replyTo?: string
  subject: string
  text: string
  html: string
  date: Date
}

/** `code`: a short word such as `smtp_550` or `timeout`, without anybody's data; servers quote addresses in their texts. */
class MailError extends Error {
  readonly code: string
  constructor(name: string, code: string) {
    super('an e-mail was not taken')
    this.name = name
    this.code = code
  }
}

/** The server took the connection and refused this message: trying again would be refused again. */
export class MailRefused extends MailError {
  constructor(code: string) {
    super('MailRefused', code)
  }
}

/** Nothing was taken, or it is not known: the connection may have been cut before the server's answer. */
export class MailDelayed extends MailError {
  constructor(code: string) {
    super('MailDelayed', code)
  }
}
