import type { Command } from 'commander'
import { z } from 'zod'
import { sign } from '../modules/catalogue/signatures.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, listOf } from './command.ts'
import { operator } from './session.ts'

export function addRangesCommands(root: Command): void {
  const group = addGroup(root, 'ranges', 'Record which ranges a laboratory director signed.')

  addAdministration(group, {
    name: 'sign',
    summary:
      'Sign the current ranges of biomarkers, in the name of a laboratory director. Later versions are unsigned.',
    options: {
      '--laboratory <name>': 'which laboratory',
      '--director <name>': 'the director who signs',
      '--biomarkers <ids>': 'catalogue IDs, separated by commas, or all',
    },
    input: z.object({
      laboratory: text(200),
      director: text(200),
      biomarkers: listOf.pipe(z.array(z.string()).min(1, 'must name a biomarker, or all')),
    }),
    example: 'kitlane ranges sign --laboratory "Acme Lab" --director "Dr A. Example" --biomarkers glucose,hba1c',
    async run(database, { laboratory, director, biomarkers }) {
      const ids = biomarkers.includes('all') ? 'all' : biomarkers
      const signed = await database.asSystem(operator, (tx) => sign(tx, { laboratory, director }, ids))
      return { json: { signed }, text: `Signed the ranges of ${signed} biomarkers.` }
    },
  })
}
