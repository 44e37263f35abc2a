import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { StartError } from '../domain/errors.ts'
import { CreateOrder } from '../modules/orders/schema.ts'

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
