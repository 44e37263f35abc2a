import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

/** Whether a business demands a second factor of its members; undefined without a choice. */
export async function selectSecondFactorRequired(tx: SystemTx, businessId: string): Promise<boolean | undefined> {
  const found = await tx.maybeRow(sql<{ required: boolean }>`
    select second_factor_required as required from sign_in_policies where business_id = ${businessId}`)
  return found?.required
}

export async function putSecondFactorRequired(tx: SystemTx, businessId: string, required: boolean): Promise<void> {
  await tx.run(sql`
    insert into sign_in_policies (business_id, second_factor_required, changed_at)
    values (${businessId}, ${required}, ${tx.now})
    on conflict (business_id) do update set second_factor_required = excluded.second_factor_required, changed_at = excluded.changed_at`)
}
