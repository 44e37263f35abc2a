import type { Client } from 'pg'

/** Prints the bytes of an order in each table that has rows of one, and in each index, largest first. */
export async function saySizes(
  admin: Client,
  { orders, tables, say }: { orders: number; tables: readonly string[]; say(line: string): void },
): Promise<void> {
  const { rows } = await admin.query<{ name: string; heap: number; toast: number; indexes: number; each: string }>(
    `
    select c.relname as name, pg_relation_size(c.oid)::float8 as heap, pg_indexes_size(c.oid)::float8 as indexes,
      (pg_total_relation_size(c.oid) - pg_relation_size(c.oid) - pg_indexes_size(c.oid))::float8 as toast,
      (select string_agg(i.indexrelid::regclass || ' ' || round(pg_relation_size(i.indexrelid)::numeric / ${orders}), ', '
         order by pg_relation_size(i.indexrelid) desc) from pg_index i where i.indrelid = c.oid) as each
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname = any($1)
    order by pg_total_relation_size(c.oid) desc`,
    [tables],
  )
  const per = (bytes: number) => Math.round(bytes / orders)
  const sum = rows.reduce((total, { heap, toast, indexes }) => total + heap + toast + indexes, 0)
  say('| bytes an order | rows | TOAST | indexes | all | each index |\n|---|---|---|---|---|---|')
  for (const { name, heap, toast, indexes, each } of rows) {
    const all = per(heap + toast + indexes)
    if (all > 0) say(`| ${name} | ${per(heap)} | ${per(toast)} | ${per(indexes)} | ${all} | ${each ?? ''} |`)
  }
  say(`| all tables | | | | ${per(sum)} | ${(sum / 2 ** 30).toFixed(2)} GB |`)
}

/** Prints what the columns of these tables hold for each order, largest first. */
export async function sayColumns(
  admin: Client,
  { orders, tables, say }: { orders: number; tables: readonly string[]; say(line: string): void },
): Promise<void> {
  say('| bytes an order | rows | columns |\n|---|---|---|')
  for (const table of tables) {
    const { rows: columns } = await admin.query<{ name: string }>(
      'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
      [table],
    )
    const sums = columns.map(({ name }) => `coalesce(sum(pg_column_size("${name}")), 0)::float8 as "${name}"`)
    const { rows } = await admin.query<Record<string, number>>(
      `select count(*)::float8 as "number of rows", ${sums.join(', ')} from ${table}`,
    )
    const { 'number of rows': count = 0, ...held } = rows[0] ?? {}
    const parts = Object.entries(held)
      .map(([name, bytes]) => ({ name, bytes: Math.round(bytes / orders) }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes)
    const each = parts.map(({ name, bytes }) => `${name} ${bytes}`).join(', ')
    say(`| ${table} | ${(count / orders).toFixed(2)} | ${each} |`)
  }
}
