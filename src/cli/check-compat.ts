import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import type { Document } from '../docs/reference/document.ts'
import { StartError } from '../domain/errors.ts'
import { readShipped } from '../platform/package-root.ts'
import { addCommand } from './command.ts'
import type { Verdict } from './compat/check.ts'
import { type VendorName, vendorNames, vendors } from './compat/vendors.ts'

export function addCheckCompatCommand(root: Command): void {
  addCommand(
    root,
    {
      name: 'check-compat',
      summary: 'Say which recorded requests this API would take, by its OpenAPI document. Nothing is sent.',
      options: {
        '--base <path>': 'what the recorded paths begin with in place of /api/v1',
        '--from <vendor>': 'whose API the requests were sent to: junction, spot, terra, thriva or letsgetchecked',
        '--operator': "check against the operator's API",
      },
      rest: { name: 'file', words: 'a HAR file, or JSON lines of method, path and body', single: true },
      input: z.object({
        file: z.string().min(1),
        base: z.string().startsWith('/').optional(),
        from: z.preprocess(
          (name) => (typeof name === 'string' ? name.toLowerCase() : name),
          z.enum(vendorNames).optional(),
        ),
        operator: z.boolean().default(false),
      }),
      example: 'kitlane check-compat requests.har --from junction',
    },
    async ({ file, base, from, operator }) => {
      const [{ compatChecker, joined, unreadVerdict, vendorChecker }, { readRecorded }] = await Promise.all([
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
      const own = compatChecker(document, base?.replace(/\/$/, ''))
      const check = from ? vendorChecker(vendors[from], own) : own
      const verdicts = readRecorded(text).map((one) => ('problem' in one ? unreadVerdict(one) : check(one)))
      const refused = verdicts.filter(({ isTaken }) => !isTaken)
      return { json: verdicts, text: inWords(verdicts, from), failed: refused.length > 0 }
    },
  )
}

function inWords(verdicts: readonly Verdict[], from?: VendorName): string {
  const taken = verdicts.filter(({ isTaken }) => isTaken).length
  const lines = verdicts.map((one, i) =>
    [
      `${one.code === 'NOT_READ' ? 'unread ' : one.isTaken ? 'taken  ' : 'refused'}  ${i + 1}  ${[[one.method, one.path].filter(Boolean).join(' '), one.code].filter(Boolean).join('  ')}`,
      ...one.problems.map(({ field, message }) => `           ${field ? `${field} ` : ''}${message}`),
      ...(one.here ? [`           here: ${one.here}`] : []),
      ...(one.hint ? [`           ${one.hint}`] : []),
      ...(one.ignored.length > 0 ? [`           ignored: ${one.ignored.join(', ')}`] : []),
      ...(one.isDeprecated ? ['           deprecated'] : []),
    ].join('\n'),
  )
  const requests = verdicts.length === 1 ? '1 request' : `${verdicts.length} requests`
  const end = from
    ? `${taken} can be sent here as shown; docs/vendors.md has the rest of ${vendors[from].name}.`
    : `${taken} would be taken by their form.`
  return [...lines, `Of ${requests}, ${end}`].join('\n')
}
