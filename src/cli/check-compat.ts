import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Document } from '../docs/reference/document.ts'
import { StartError } from '../domain/errors.ts'
import { readShipped } from '../platform/shipped.ts'
import { addCommand } from './command.ts'
import type { Verdict } from './compat/check.ts'

export function addCheckCompatCommand(root: Command): void {
  addCommand(
    root,
    {
      name: 'check-compat',
      summary: 'Say which recorded requests this API would take, by its OpenAPI document. Nothing is sent.',
      options: {
        '--base <path>': 'what the recorded paths begin with in place of /api/v1',
        '--operator': "check against the operator's API",
      },
      rest: { name: 'file', words: 'a HAR file, or JSON lines of method, path and body', single: true },
      input: z.object({
        file: z.string().min(1),
        base: z.string().startsWith('/').optional(),
        operator: z.boolean().default(false),
      }),
      example: 'kitlane check-compat requests.har --base /v2',
    },
    async ({ file, base, operator }) => {
      const [{ compatChecker, joined, unreadVerdict }, { readRecorded }] = await Promise.all([
        import('./compat/check.ts'),
        import('./compat/recorded.ts'),
      ])
      const text = await readFile(file, 'utf8').catch((cause) => {
        throw new StartError(`The file ${file} cannot be read. Check its path.`, { cause })
      })
      const read = async (name: string): Promise<Document> => JSON.parse(await readShipped(name))
      const document = operator
        ? await read('openapi-operator.json')
        : joined([await read('openapi.json'), await read('openapi-dashboard.json')])
      const check = compatChecker(document, base?.replace(/\/$/, ''))
      const verdicts = readRecorded(text).map((one) => ('problem' in one ? unreadVerdict(one) : check(one)))
      const refused = verdicts.filter(({ isTaken }) => !isTaken)
      return { json: verdicts, text: inWords(verdicts), failed: refused.length > 0 }
    },
  )
}

function inWords(verdicts: readonly Verdict[]): string {
  const taken = verdicts.filter(({ isTaken }) => isTaken).length
  const lines = verdicts.map((one, i) =>
    [
      `${one.code === 'NOT_READ' ? 'unread ' : one.isTaken ? 'taken  ' : 'refused'}  ${i + 1}  ${[[one.method, one.path].filter(Boolean).join(' '), one.code].filter(Boolean).join('  ')}`,
      ...one.problems.map(({ field, message }) => `           ${field ? `${field} ` : ''}${message}`),
      ...(one.hint ? [`           ${one.hint}`] : []),
      ...(one.ignored.length > 0 ? [`           ignored: ${one.ignored.join(', ')}`] : []),
      ...(one.isDeprecated ? ['           deprecated'] : []),
    ].join('\n'),
  )
  const requests = verdicts.length === 1 ? '1 request' : `${verdicts.length} requests`
  return [...lines, `Of ${requests}, ${taken} would be taken by their form.`].join('\n')
}
