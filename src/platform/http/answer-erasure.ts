import { sql } from 'kysely'
import type { Tx } from '../database/tx.ts'

/** Kept answers that hold one of these texts; the next request with such a key runs again. */
export async function deleteKeptAnswers(tx: Tx, texts: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from idempotency_keys where realm_id = ${tx.realm.id}
      and exists (select from unnest(${texts}::text[]) as t(part) where strpos(lower(body), t.part) > 0)`)
}
