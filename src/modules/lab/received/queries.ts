import { type RawBuilder, sql } from 'kysely'
import type { Realm, SystemTx, Tx } from '../../../platform/database/tx.ts'
import { keyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import type { Received, ReceivedContent } from './rules.ts'
import { sealedReceived } from './sealed-queries.ts'

export interface ReceivedFrom {
  id: string
  customerId: number
  kitId?: string | undefined
  dataId?: string | undefined
  reportId?: string | undefined
  format: string
}

export async function insertReceived(
  tx: Tx,
  from: ReceivedFrom,
  received: Received,
  { message = null, statements = null }: Omit<ReceivedContent, 'observations'> = {},
): Promise<void> {
  const { observations, lines, assessed, leftOut } = received
  const sealed = sealedReceived.seal(await keyringOf(tx), [from.id], { observations, message, statements })
  await tx.run(sql`
    insert into received_documents (realm_id, id, customer_id, kit_id, data_id, report_id, format, lines, assessed, left_out,
      received_at, sealed)
    values (${tx.realm.id}, ${from.id}, ${from.customerId}, ${from.kitId ?? null}, ${from.dataId ?? null},
      ${from.reportId ?? null}, ${from.format}, ${lines}, ${assessed}, ${leftOut}, ${tx.now}, ${sealed})`)
}

export interface ReceivedRow extends ReceivedContent {
  id: string
  customerId: number
  kitId: string | null
  dataId: string | null
  reportId: string | null
  format: string
  receivedAt: Date
  lines: number
  assessed: number
  waiting: number
  dismissed: number
}

type Unread = Omit<ReceivedRow, keyof ReceivedContent> & { sealed: Sealed<ReceivedContent> }

/** Documents with what became of their lines until now. */
async function selectThat(tx: Tx, condition: RawBuilder<unknown>): Promise<ReceivedRow[]> {
  const rows = await tx.rows(sql<Unread>`
    select d.id, d.customer_id as "customerId", d.kit_id as "kitId", d.data_id as "dataId", d.report_id as "reportId", d.format,
      d.received_at as "receivedAt", d.lines, d.assessed + u.assigned as assessed, u.waiting,
      d.left_out + u.dismissed as dismissed, ${sealedReceived.of('d')} as sealed
    from received_documents d cross join lateral (
      select (count(*) filter (where closed_at is null))::int as waiting,
        (count(*) filter (where outcome = 'assigned'))::int as assigned,
        (count(*) filter (where closed_at is not null and outcome is distinct from 'assigned'))::int as dismissed
      from unassessed_results where realm_id = d.realm_id and received_id = d.id) u
    where d.realm_id = ${tx.realm.id} and ${condition} order by d.received_at, d.id`)
  const keys = await keyringOf(tx)
  return rows.map(({ sealed, ...row }) => ({ ...row, ...sealedReceived.open(keys, [row.id], sealed) }))
}

export const selectReceived = async (tx: Tx, id: string): Promise<ReceivedRow | undefined> =>
  (await selectThat(tx, sql`d.id = ${id}`))[0]

export const selectReceivedOfCustomer = (tx: Tx, customerId: number): Promise<ReceivedRow[]> =>
  selectThat(tx, sql`d.customer_id = ${customerId}`)

/** In the order in which they came: documents of one transaction have the same time. */
export async function selectReceivedOfKit(tx: Tx, kitId: string): Promise<ReceivedRow[]> {
  const placeOf = ({ message }: ReceivedRow) => message?.place ?? -1
  return (await selectThat(tx, sql`d.kit_id = ${kitId}`)).toSorted((a, b) => placeOf(a) - placeOf(b))
}

export async function realmOfReceived(tx: SystemTx, id: string): Promise<Realm | undefined> {
  const row = await tx.maybeRow(sql<{ realm: Realm }>`
    select jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm
    from received_documents d join realms r on r.id = d.realm_id where d.id = ${id}`)
  return row?.realm
}

/** Removes a document that is about somebody else. */
export async function deleteReceived(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`delete from received_documents where realm_id = ${tx.realm.id} and id = ${id}`)
}
