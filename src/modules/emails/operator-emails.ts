import { newOpaqueId } from '../../domain/ids.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { type EmailContent, render } from './layout.ts'
import { insertAccountEmail } from './queries.ts'
import { SEND_ACCOUNT_JOB } from './service.ts'

/** Queues an e-mail to the operator, about the installation. It holds no secret and belongs to no realm. */
export async function queueOperatorEmail(
  tx: SystemTx,
  { content, to }: { content: EmailContent; to: string },
): Promise<void> {
  const id = newOpaqueId('mail')
  const brand = { name: 'Kitlane', color: null, logoUrl: null, contactEmail: null }
  const { publicUrl } = tx.context
  const path = content.button?.path
  const rendered = render(content, brand, { url: publicUrl && path ? publicUrl + path : undefined })
  await insertAccountEmail(tx, { ...rendered, id, kind: content.kind, to, senderName: brand.name }, null)
  await tx.enqueue(SEND_ACCOUNT_JOB, { emailId: id })
}
