import { sql } from 'kysely'
import { db } from '../../platform/database/sql.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { ConsentInput } from './schema.ts'

export async function insertConsent(tx: Tx, kitId: string, consent: ConsentInput): Promise<void> {
  await tx.run(
    db.insertInto('consents').values({
      realm_id: tx.realm.id,
      kit_id: kitId,
      first_name: consent.firstName,
      last_name: consent.lastName,
      email: consent.email,
      consent_version: consent.consentVersion,
      research: consent.consentForResearch,
      ip: tx.actor.ip ?? null,
      at: tx.now,
    }),
  )
}

/** What the last consent says of research; undefined without any consent. */
export async function selectConsentedResearch(tx: Tx, kitId: string): Promise<boolean | undefined> {
  const last = await tx.maybeRow(sql<{ research: boolean }>`
    select research from consents where realm_id = ${tx.realm.id} and kit_id = ${kitId} order by id desc limit 1`)
  return last?.research
}
