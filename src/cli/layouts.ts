import { readFile } from 'node:fs/promises'
import { Layout } from '@kitlane/lab-reader/parse/layout'
import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import type { TriedLayout } from '../modules/lab/layouts/schema.ts'
import { describeTried, parseWith } from '../modules/lab/layouts/try.ts'
import { addAdministration, addGroup } from './command.ts'
import { operator } from './session.ts'

export function addLayoutsCommands(root: Command): void {
  const group = addGroup(root, 'layouts', 'Try templates of the layouts of laboratories.')

  addAdministration(group, {
    name: 'try',
    summary: 'Say what a layout template would read of a file. Nothing is kept.',
    options: {
      '--file <file>': 'a PDF or CSV of the laboratory',
      '--template <file>': 'the template, as JSON',
    },
    input: z.object({ file: z.string().min(1), template: z.string().min(1) }),
    example: 'kitlane layouts try --file sample.pdf --template layout.json',
    async run(database, { file, template }) {
      const layout = layoutOf((await contentOf(template)).toString('utf8'), template)
      const parsed = await parseWith(await contentOf(file), layout, operator.name)
      const tried = await database.asSystem(operator, (tx) => describeTried(tx, parsed))
      return { json: tried, text: inWords(tried) }
    },
  })
}

async function contentOf(file: string): Promise<Buffer> {
  return readFile(file).catch((cause) => {
    throw new StartError(`The file ${file} cannot be read. Check its path.`, { cause })
  })
}

function layoutOf(text: string, file: string): Layout {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new StartError(`The file ${file} is not JSON: ${(cause as Error).message}`, { cause })
  }
  const { success, data, error } = Layout.safeParse(json)
  if (success) return data
  const mistakes = error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new StartError(`The file ${file} is not a layout template:\n${mistakes.join('\n')}`)
}

function inWords({ recognised, refused, lines, results, notes }: TriedLayout): string {
  const { counted, assessed, waiting, dismissed } = lines
  return [
    recognised ? 'The file was recognised.' : 'The file was not recognised, so it was read without the template.',
    ...(refused ? [`Nothing was read: ${refused}`] : []),
    `${counted} lines look like results: ${assessed} would be in the report, ${waiting} would wait, ${dismissed} are of no result.`,
    ...notes,
    ...results.map(({ name, value, unit = '', number, biomarkerID, waitsFor }) =>
      `${name}: ${value} ${unit} → ${waitsFor ?? `${biomarkerID} ${number ?? ''}`}`.trimEnd(),
    ),
  ].join('\n')
}
