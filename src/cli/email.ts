import type { Command } from 'commander'
import { z } from 'zod'
import { recordHealthAccess } from '../modules/audit/access-audit.ts'
import * as businesses from '../modules/businesses/service.ts'
import { findWithTestLink, list } from '../modules/emails/service.ts'
import type { SystemTx } from '../platform/database/tx.ts'
import { addAdministration, addGroup, business, mode, table, wholeNumber } from './command.ts'
import { operator } from './session.ts'

/** Records in the audit who read e-mails here, as the dashboard does. */
async function note(tx: SystemTx, verb: 'read' | 'listed', emails: readonly { id: string }[]): Promise<void> {
  if (emails.length === 0) return
  const details = { ...(verb === 'listed' && { count: emails.length }) }
  await recordHealthAccess(tx, { verb, object: 'email', ids: emails.map(({ id }) => id), details })
}

const statuses = ['queued', 'sent', 'kept', 'failed'] as const

export function addEmailCommands(root: Command): void {
  const group = addGroup(root, 'email', 'Look at the e-mails that were written, also those that were only kept.')

  addAdministration(group, {
    name: 'list',
    summary: 'List e-mails, newest first, without their texts.',
    options: {
      '--business <business>': 'only of this business: its ID or its name',
      '--mode <mode>': 'only live or only sandbox',
      '--status <status>': `only these: ${statuses.join(', ')}`,
      '--limit <number>': 'the maximum number of e-mails (default: 50)',
    },
    input: z.object({
      business: business.optional(),
      mode: mode.optional(),
      status: z.enum(statuses, `must be one of ${statuses.join(', ')}`).optional(),
      limit: wholeNumber.pipe(z.number().min(1).max(1000)).default(50),
    }),
    example: 'kitlane email list --status failed',
    async run(database, { business, mode, status, limit }) {
      const { emails, total } = await database.asSystem(operator, async (tx) => {
        const businessIds = business ? [(await businesses.find(tx, business)).id] : undefined
        const listed = await list(tx, { businessIds, mode, statuses: status && [status], page: 0, size: limit })
        await note(tx, 'listed', listed.emails)
        return listed
      })
      if (emails.length === 0) return { json: { total, emails }, text: 'No e-mail fits.' }
      const rows = emails.map((email) => [
        ...[email.id, email.createdAt.toISOString(), email.businessName ?? '', email.mode ?? '', email.kind],
        ...[email.to, email.lastError ? `${email.status} (${email.lastError})` : email.status],
      ])
      const head = ['ID', 'WRITTEN', 'BUSINESS', 'MODE', 'KIND', 'TO', 'STATUS']
      return { json: { total, emails }, text: `${table([head, ...rows])}\n${emails.length} of ${total}.` }
    },
  })

  addAdministration(group, {
    name: 'show',
    summary: 'Show the text of an e-mail. A personal link is shown only in the sandbox. --json includes the HTML.',
    options: { '--email <id>': 'the ID of the e-mail' },
    input: z.object({ email: z.string().min(1) }),
    example: 'kitlane email show --email mail_2f8Qm1Zr0aB3kLx9TtYw7P',
    async run(database, input) {
      const email = await database.asSystem(operator, async (tx) => {
        const found = await findWithTestLink(tx, input.email)
        await note(tx, 'read', [found])
        return found
      })
      const head = `To: ${email.to}\nSubject: ${email.subject}\nStatus: ${email.status}`
      return { json: email, text: `${head}\n\n${email.text.trimEnd()}` }
    },
  })
}
