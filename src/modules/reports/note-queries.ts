import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import { keyringOf, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import type { ReportNote } from './note-schema.ts'

// No version kept it in clear.
const NEVER = 'nullif($.realm_id, $.realm_id)'

/** What a clinician wrote to the person. */
export const sealedReportNotes = sealedColumns<ReportNote>({
  table: 'reports',
  column: 'sealed_note',
  key: { id: 'text' },
  clear: { text: NEVER, author: NEVER, date: NEVER, version: NEVER },
  emptied: [],
})

export async function saveNote(tx: Tx, reportId: string, note: ReportNote): Promise<void> {
  const sealed = sealedReportNotes.seal(await keyringOf(tx), [reportId], note)
  await tx.run(sql`
    update reports set sealed_note = ${sealed}::bytea where realm_id = ${tx.realm.id} and id = ${reportId}`)
}

export async function selectNote(tx: Tx, reportId: string): Promise<ReportNote | undefined> {
  const row = await tx.maybeRow(sql<{ note: Sealed<ReportNote> }>`
    select ${sealedReportNotes.of('r')} as note from reports r
    where r.realm_id = ${tx.realm.id} and r.id = ${reportId} and r.sealed_note is not null`)
  return row && sealedReportNotes.open(await keyringOf(tx), [reportId], row.note)
}
