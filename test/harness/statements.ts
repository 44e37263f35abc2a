import { Client } from 'pg'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'

/** What a statement read of one table. */
export interface Scan {
  table: string
  how: string
  index?: string | undefined
  /** Rows that it looked at, and how many of them its conditions left. */
  read: number
  kept: number
  filter?: string
}

/** A statement as it ran, with what it read of tables. */
export interface Ran {
  text: string
  scans: Scan[]
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Filter?: string
  Plans?: Node[]
}

const PLAN = /^duration: [\d.]+ ms {2}plan:\s*/

/** What PostgreSQL tells of each statement of a database: each new connection explains to its client what it ran. */
export async function explainAll(admin: Client, database: string): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_level': 'notice',
    'auto_explain.log_format': 'json',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
  }
  for (const [name, value] of Object.entries(settings))
    await admin.query(`alter database ${database} set ${name} = '${value}'`)
}

// Changes nothing: it tells connections of one service from those of others in this process.
const MARK = '-c geqo_seed=0.25'

/** URLs whose connections are heard. */
export const marked = (urls: DatabaseUrls): DatabaseUrls => {
  const mark = (url: string) => {
    const marked = new URL(url)
    marked.searchParams.set('options', MARK)
    return marked.href
  }
  return { ...urls, owner: mark(urls.owner), app: mark(urls.app), direct: mark(urls.direct) }
}

const isMarked = (client: Client) =>
  (client as unknown as { connectionParameters: { options?: string } }).connectionParameters.options?.includes(MARK)

/** Hears what marked connections of this process ran, until the answer is called. */
export function listen(heard: (ran: Ran) => void): () => void {
  const prototype = Client.prototype
  const emit = prototype.emit
  prototype.emit = function (this: Client, event: string, ...args: unknown[]) {
    const message = event === 'notice' ? (args[0] as { message?: string }).message : undefined
    if (message && PLAN.test(message) && isMarked(this)) heard(ranOf(message))
    return emit.call(this, event as never, ...args)
  } as typeof emit
  return () => {
    delete (prototype as { emit?: unknown }).emit
  }
}

function ranOf(message: string): Ran {
  const told = JSON.parse(message.replace(PLAN, '')) as { 'Query Text': string; Plan: Node }
  return { text: told['Query Text'].replace(/\s+/g, ' ').trim(), scans: [...scansOf(told.Plan)] }
}

function* scansOf(node: Node): Generator<Scan> {
  const {
    'Node Type': how,
    'Relation Name': table,
    'Index Name': index,
    'Actual Loops': loops = 0,
    Plans: inner = [],
  } = node
  if (table && how !== 'ModifyTable' && loops > 0) {
    const kept = (node['Actual Rows'] ?? 0) * loops
    const removed = ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * loops
    yield { table, how, index, kept, read: kept + removed, filter: node.Filter }
  }
  for (const one of inner) yield* scansOf(one)
}
