import { resolve } from 'node:path'
import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { addCommand, addGroup } from './command.ts'

export function addDocsCommands(root: Command): void {
  const group = addGroup(root, 'docs', 'The documentation.')
  addCommand(
    group,
    {
      name: 'build',
      summary: 'Write the documentation as files, to read without a service or to host it elsewhere.',
      options: {},
      rest: { name: 'folder', words: 'where to write it; files of the same name are replaced', single: true },
      input: z.object({ folder: z.string().min(1) }),
      example: 'kitlane docs build ./site',
    },
    async ({ folder }) => {
      // The other commands need none of it.
      const { buildDocs } = await import('../docs/build.ts')
      const { pages, files } = await buildDocs(folder).catch((cause) => {
        if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause
        throw new StartError(`The documentation cannot be written to ${folder}: ${(cause as Error).message}`, { cause })
      })
      const start = resolve(folder, 'index.html')
      return { json: { start, pages, files }, text: `Wrote ${pages} pages. Open ${start}` }
    },
  )
}
