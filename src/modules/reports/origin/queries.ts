import { sql } from 'kysely'
import type { Queries, SystemTx } from '../../../platform/database/tx.ts'
import { plainName } from './rules.ts'
import type { Profile, StoredProfile } from './schema.ts'

interface Row extends Omit<StoredProfile, 'clia' | 'director' | 'timeZone'> {
  clia: string | null
  director: string | null
  timeZone: string | null
}

/** Every laboratory's profile, by name. */
export async function selectProfiles(tx: Queries): Promise<StoredProfile[]> {
  const rows = await tx.rows(sql<Row>`
    select id, name, names, address, clia, director, time_zone as "timeZone", is_default as "isDefault"
    from laboratories order by name, id`)
  return rows.map(({ clia, director, timeZone, ...row }) => ({
    ...row,
    ...(clia !== null && { clia }),
    ...(director !== null && { director }),
    ...(timeZone !== null && { timeZone }),
  }))
}

/** Adds a profile, or changes the one of this ID. There is one default at most: the last one named. */
export async function upsertProfile(tx: SystemTx, id: string, profile: Profile): Promise<void> {
  const { name, names, address, clia = null, director = null, timeZone = null, isDefault } = profile
  const others = [...new Set(names.filter((other) => plainName(other) !== plainName(name)))]
  if (isDefault) await tx.run(sql`update laboratories set is_default = false where is_default and id <> ${id}`)
  await tx.run(sql`
    insert into laboratories (id, name, names, address, clia, director, time_zone, is_default)
    values (${id}, ${name}, ${others}, ${address}, ${clia}, ${director}, ${timeZone}, ${isDefault})
    on conflict (id) do update set name = excluded.name, names = excluded.names, address = excluded.address,
      clia = excluded.clia, director = excluded.director, time_zone = excluded.time_zone, is_default = excluded.is_default`)
}

/** False if it does not exist. */
export async function deleteProfile(tx: SystemTx, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from laboratories where id = ${id}`)) === 1
}

/** How many live orders a laboratory has, or is to be told of. */
export async function countOrders(tx: SystemTx, id: string): Promise<number> {
  const { count } = await tx.row(sql<{ count: number }>`
    select count(*)::int as count from lab_orders o
    where o.live and ((o.laboratory_id = ${id} and (o.pending is not null or o.state in ('queued', 'sent', 'accepted')))
      or exists (select from lab_order_messages m
        where m.realm_id = o.realm_id and m.kit_id = o.kit_id and m.laboratory_id = ${id} and m.outcome is null))`)
  return count
}
