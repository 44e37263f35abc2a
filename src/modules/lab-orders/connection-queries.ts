import { sql } from 'kysely'
import type { Queries, SystemTx } from '../../platform/database/tx.ts'
import type { ConnectionInput } from './schema.ts'

type Definition = Omit<ConnectionInput, 'isActive' | 'priority' | 'authorization'>

/** How a laboratory gets orders. Kit types as they are stored. */
export interface Connection extends Definition {
  /** Of the laboratory, as its name. */
  id: string
  name: string
  isActive: boolean
  priority: number
  /** Sealed: the header that it wants. */
  secret: Buffer | null
  createdAt: Date
  changedAt: Date
}

type Row = Omit<Connection, keyof Definition> & { definition: Definition }

const columns = sql`
  l.id, l.name, c.is_active as "isActive", c.priority, c.definition, c.secret, c.created_at as "createdAt", c.changed_at as "changedAt"`
const joined = sql`lab_connections c join laboratories l on l.id = c.laboratory_id`

const flat = ({ definition, ...row }: Row): Connection => ({ ...definition, ...row })

export const selectConnections = async (tx: Queries): Promise<Connection[]> =>
  (await tx.rows(sql<Row>`select ${columns} from ${joined} order by c.priority, l.id`)).map(flat)

export async function selectConnection(tx: Queries, id: string): Promise<Connection | undefined> {
  const row = await tx.maybeRow(sql<Row>`select ${columns} from ${joined} where l.id = ${id}`)
  return row && flat(row)
}

/** The same. Where one has room for so many a day, others wait until the transaction ends, so that two orders do not take the last. */
export async function lockConnections(tx: SystemTx): Promise<Connection[]> {
  const found = await selectConnections(tx)
  if (found.every(({ capacityPerDay }) => capacityPerDay === null)) return found
  await tx.run(sql`select laboratory_id from lab_connections order by laboratory_id for update`)
  return found
}

export async function upsertConnection(tx: SystemTx, connection: Connection): Promise<void> {
  const { id, name: _, isActive, priority, secret, createdAt, changedAt, ...definition } = connection
  await tx.run(sql`
    insert into lab_connections (laboratory_id, is_active, priority, definition, secret, created_at, changed_at)
    values (${id}, ${isActive}, ${priority}, ${JSON.stringify(definition)}::jsonb, ${secret}::bytea, ${createdAt}, ${changedAt})
    on conflict (laboratory_id) do update set is_active = excluded.is_active, priority = excluded.priority,
      definition = excluded.definition, secret = excluded.secret, changed_at = excluded.changed_at`)
}

/** The name of a laboratory. */
export async function selectName(tx: SystemTx, id: string): Promise<string | undefined> {
  const row = await tx.maybeRow(sql<{ name: string }>`select name from laboratories where id = ${id}`)
  return row?.name
}

/** How many orders each laboratory was given on a day, by its ID. */
export async function selectRouted(tx: SystemTx, day: string): Promise<Map<string, number>> {
  const rows = await tx.rows(sql<{ id: string; count: number }>`
    select laboratory_id as id, count(*)::int as count from lab_orders
    where laboratory_id = any(array(select laboratory_id from lab_connections)) and routed_on = ${day}::date group by laboratory_id`)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
