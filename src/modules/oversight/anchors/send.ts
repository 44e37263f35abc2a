import { open } from 'node:fs/promises'
import type { AnchorTargets } from '../../../domain/operator-channels.ts'
import type { Actor, Database } from '../../../platform/database/tx.ts'
import { anchorLine, makeAnchor } from '../../audit/anchors.ts'
import type { EmailContent } from '../../emails/layout.ts'
import { queueOperatorEmail } from '../../emails/operator-emails.ts'

/** An anchor as an e-mail, for a mailbox that those who run the database cannot change. */
export const anchorEmail = (line: string): EmailContent => ({
  kind: 'audit_anchor',
  subject: 'Anchor of the audit',
  title: 'Anchor of the audit',
  paragraphs: [
    line,
    'Keep this e-mail. The line proves that the audit is as it was until now: save such lines as a text file, and run kitlane verify-audit --anchors <file>.',
  ],
})

/** Makes an anchor and writes it to where the settings say; without a target it does nothing. */
export async function sendAnchor(database: Database, actor: Actor, { emails, files }: AnchorTargets): Promise<void> {
  if (emails.length + files.length === 0) return
  const line = await database.asSystem(actor, async (tx) => {
    const line = anchorLine(await makeAnchor(tx))
    for (const to of emails) await queueOperatorEmail(tx, { content: anchorEmail(line), to })
    return line
  })
  for (const path of files) await append(path, `${line}\n`)
}

async function append(path: string, text: string): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    await file.appendFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
