import { type MailServer, parseMail } from '../../test/harness/smtp.ts'

export interface Mail {
  to: string
  text: string
  html: string
}

/** What arrived at the mail server, by recipient. Each mail is read once. */
export class Mailbox {
  readonly #server: MailServer
  readonly #all: Mail[] = []
  readonly #byAddress = new Map<string, Mail[]>()

  constructor(server: MailServer) {
    this.#server = server
  }

  get all(): readonly Mail[] {
    for (const { to, raw } of this.#server.received.slice(this.#all.length)) {
      const mail = { to: to[0] ?? '', ...parseMail(raw) }
      this.#all.push(mail)
      this.#byAddress.set(mail.to, [...(this.#byAddress.get(mail.to) ?? []), mail])
    }
    return this.#all
  }

  /** Oldest first. */
  to(address: string): readonly Mail[] {
    return this.all.length > 0 ? (this.#byAddress.get(address) ?? []) : []
  }
}
