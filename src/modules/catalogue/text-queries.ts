import { sql } from 'kysely'
import type { Queries, SystemTx } from '../../platform/database/tx.ts'

export type Subject = 'biomarker' | 'panel'

/** Inserts texts that are missing or that differ from the last one, if that was reference data, too. */
export async function insertReferenceTexts(
  tx: SystemTx,
  subject: Subject,
  texts: Readonly<Record<string, object>>,
): Promise<void> {
  await tx.run(sql`
    insert into catalogue_texts (subject, id, version, text, reason, created_at)
    select ${subject}, d.key, coalesce(newest.version, 0) + 1, d.value, 'reference data', ${tx.now}
    from jsonb_each(${JSON.stringify(texts)}::jsonb) d
    left join lateral (
      select version, text, reason from catalogue_texts t where t.subject = ${subject} and t.id = d.key
      order by version desc limit 1
    ) newest on true
    where newest.version is null or (newest.reason = 'reference data' and newest.text <> d.value)
    on conflict do nothing`)
}

export interface TextVersion<T> {
  version: number
  reason: string
  createdDate: Date
  text: T
}

/** Every version of a text, newest first. */
export function selectTextVersions<T>(tx: Queries, subject: Subject, id: string): Promise<TextVersion<T>[]> {
  return tx.rows(sql<TextVersion<T>>`
    select version, reason, created_at as "createdDate", text from catalogue_texts
    where subject = ${subject} and id = ${id} order by version desc`)
}

/** False where the version exists already. */
export async function insertTextVersion(
  tx: SystemTx,
  subject: Subject,
  id: string,
  { version, reason, text }: Omit<TextVersion<object>, 'createdDate'>,
): Promise<boolean> {
  const made = await tx.run(sql`
    insert into catalogue_texts (subject, id, version, text, reason, created_at)
    values (${subject}, ${id}, ${version}, ${JSON.stringify(text)}::jsonb, ${reason}, ${tx.now}) on conflict do nothing`)
  return made === 1
}

/** The texts of biomarkers in the given versions. */
export function selectTextsOf<T>(
  tx: Queries,
  wanted: readonly { id: string; version: number }[],
): Promise<{ id: string; text: T }[]> {
  return tx.rows(sql<{ id: string; text: T }>`
    select t.id, t.text
    from unnest(${wanted.map(({ id }) => id)}::text[], ${wanted.map(({ version }) => version)}::int[]) w(id, version)
    join catalogue_texts t on t.subject = 'biomarker' and t.id = w.id and t.version = w.version`)
}
