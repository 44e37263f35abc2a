import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import type { EmailStatus } from './queries.ts'
import { type Head, isTo, sealedEmailHeads } from './sealed-queries.ts'

export interface EmailToPerson {
  kind: string
  subject: string
  status: EmailStatus
  kitId: string | null
  createdAt: Date
}

/** The newest e-mails to these addresses. */
export async function selectEmailsTo(tx: Tx, addresses: readonly string[], limit: number): Promise<EmailToPerson[]> {
  if (addresses.length === 0) return []
  type Row = Omit<EmailToPerson, 'subject'> & { id: string; head: Sealed<Head> }
  const rows = await tx.rows(sql<Row>`
    select id, kind, status, kit_id as "kitId", created_at as "createdAt", ${sealedEmailHeads.of('emails')} as head
    from emails where ${await isTo(tx, addresses)} order by position desc limit ${limit}`)
  const keys = await keyringOf(tx)
  return rows.map(({ id, head, ...row }) => ({ ...row, subject: sealedEmailHeads.open(keys, [id], head).subject }))
}
