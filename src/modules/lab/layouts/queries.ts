import type { Layout } from '@kitlane/lab-reader/parse/layout'
import { sql } from 'kysely'
import type { Queries, SystemTx } from '../../../platform/database/tx.ts'

interface Row {
  name: string
  version: number
  isOn: boolean
  counts: boolean
  createdAt: Date
  template: Layout
}

/** Every version of every template, by name, the newest first. */
export const selectVersions = (tx: SystemTx): Promise<Row[]> =>
  tx.rows(sql<Row>`
    select name, version, is_on as "isOn", created_at as "createdAt", template,
      is_on and version = max(version) filter (where is_on) over (partition by name) as counts
    from layout_templates order by name, version desc`)

/** The templates that count: of each name the newest version that is on. */
export async function selectCounting(tx: Queries): Promise<unknown[]> {
  const rows = await tx.rows(sql<{ template: unknown }>`
    select distinct on (name) template from layout_templates where is_on order by name, version desc`)
  return rows.map(({ template }) => template)
}

/** Changes of templates wait for one another until the end of the transaction. */
export async function lockTemplates(tx: SystemTx): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtext('layout templates'))`)
}

/** Adds the next version of a template, and returns its number. Under `lockTemplates`. */
export async function insertVersion(tx: SystemTx, layout: Layout): Promise<number> {
  const { version } = await tx.row(sql<{ version: number }>`
    insert into layout_templates (name, version, template, created_at)
    select ${layout.name}, coalesce(max(version), 0) + 1, ${JSON.stringify(layout)}::jsonb, ${tx.now}
    from layout_templates where name = ${layout.name} returning version`)
  return version
}

/** Switches off the version, or all versions. Returns how many of them there are, on or off. */
export function switchOffVersions(tx: SystemTx, name: string, version: number | undefined): Promise<number> {
  const which = version === undefined ? sql`` : sql`and version = ${version}`
  return tx.run(sql`update layout_templates set is_on = false where name = ${name} ${which}`)
}
