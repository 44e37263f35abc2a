import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import type { BulkJob } from '../modules/orders/bulk/schema.ts'
import { find } from '../modules/orders/bulk/service.ts'
import { CreateOrder } from '../modules/orders/schema.ts'
import { addAdministration, addGroup, table, wholeNumber } from './command.ts'
import { findRealm, ofBusiness, whose } from './realm.ts'
import { operator } from './session.ts'

const PAGE_ROWS = 250

export function addBulkJobCommands(root: Command): void {
  const group = addGroup(root, 'bulk-job', 'Follow orders that were placed in bulk.')

  addAdministration(group, {
    name: 'show',
    summary: 'Show the progress of a bulk job and the result of each row.',
    options: {
      ...whose,
      '--job <id>': 'the ID of the job (bulk_…)',
      '--rows <status>': 'only rows in this status: pending, created or failed (default: all)',
      '--page <number>': `the page of ${PAGE_ROWS} rows, counted from 0 (default: 0)`,
    },
    input: z.object({
      ...ofBusiness,
      job: z.string().regex(/^bulk_\w{1,58}$/, 'must be the ID of a bulk job, which begins with bulk_'),
      rows: z.enum(['pending', 'created', 'failed'], 'must be pending, created or failed').optional(),
      page: wholeNumber.pipe(z.number().max(10_000, 'must be 10000 at most')).default(0),
    }),
    example: 'kitlane bulk-job show --business "Acme Clinic" --job bulk_7QmZ2cXv9LwT4bNs1RkY8e --rows failed',
    async run(database, { business, mode, job, rows, page }) {
      const { realm } = await findRealm(database, { business, mode })
      const found = await database.inRealm(realm, operator, (tx) =>
        find(tx, job, { page, size: PAGE_ROWS, rowStatus: rows && [rows] }),
      )
      return { json: found, text: inWords(found) }
    },
  })
}

function inWords({ jobId, status, total, succeeded, failed, pending, rows, pagination }: BulkJob): string {
  const unpaid = pending ? ' Its orders wait for their payment.' : ''
  const head = `The job ${jobId} is ${status}: ${succeeded} of ${total} rows are placed, ${failed} failed.${unpaid}`
  const lines = rows.map(({ row, status, orderId, pending, error }) => [
    String(row),
    pending && orderId ? `${status}, unpaid` : status,
    orderId ?? (error ? `${error.code}: ${error.message}` : ''),
  ])
  const more = pagination.hasNext ? [`More rows: --page ${pagination.page + 1}`] : []
  return [head, ...(lines.length > 0 ? [table([['ROW', 'STATUS', 'RESULT'], ...lines])] : []), ...more].join('\n')
}

// The most problems that one answer lists.
const SHOWN_PROBLEMS = 20

/** Reads the body of POST /create-order from a file, or from standard input (`-`). Problems name the path of a field, never its value. */
export async function readOrder(path: string): Promise<CreateOrder> {
  const where = path === '-' ? 'What came on standard input' : path
  const given = await read(path)
  let body: unknown
  try {
    body = JSON.parse(given.replace(/^\uFEFF/, ''))
  } catch {
    // No cause: the parser's message quotes the file, which holds names and addresses.
    throw new StartError(`${where} is not JSON.`)
  }
  const parsed = CreateOrder.safeParse(body)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const lines = issues.slice(0, SHOWN_PROBLEMS).map(({ path, message }) => {
    const at = path.join('.')
    return `- ${at ? `${at}: ` : ''}${message}`
  })
  const more = issues.length > SHOWN_PROBLEMS ? [`- and ${issues.length - SHOWN_PROBLEMS} more`] : []
  throw new StartError([`${where} is not the body of POST /create-order:`, ...lines, ...more].join('\n'))
}

async function read(path: string): Promise<string> {
  if (path === '-') return textOf(process.stdin)
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown error'
    const reason = code === 'ENOENT' ? 'there is no such file' : `${code}`
    throw new StartError(`${path} cannot be read: ${reason}.`, { cause })
  }
}
