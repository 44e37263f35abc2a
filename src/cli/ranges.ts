import type { Command } from 'commander'
import { z } from 'zod'
import { type SignedFacts, sign, signedFacts } from '../modules/catalogue/signatures.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, listOf } from './command.ts'
import { operator } from './session.ts'

export function addRangesCommands(root: Command): void {
  const group = addGroup(
    root,
    'ranges',
    'Show where ranges, factors and critical limits come from, and record what a laboratory director signed.',
  )

  addAdministration(group, {
    name: 'sign',
    summary:
      'Sign the current ranges, factors and critical limits of biomarkers, in the name of a laboratory director. Later versions are unsigned.',
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
      return { json: { signed }, text: `Signed the ranges, factors and critical limits of ${signed} biomarkers.` }
    },
  })

  addAdministration(group, {
    name: 'show',
    summary: 'Show the ranges, factors and critical limits of biomarkers, each with its source, and who signed them.',
    options: { '--biomarkers <ids>': 'catalogue IDs, separated by commas, or all' },
    input: z.object({ biomarkers: listOf.pipe(z.array(z.string()).min(1, 'must name a biomarker, or all')) }),
    example: 'kitlane ranges show --biomarkers gastrin,potassium',
    async run(database, { biomarkers }) {
      const ids = biomarkers.includes('all') ? 'all' : biomarkers
      const shown = await database.asSystem(operator, (tx) => signedFacts(tx, ids))
      return { json: shown, text: shown.map(inWords).join('\n') }
    },
  })
}

const inWords = ({ id, ranges, factors, criticalLimits, signature, criticalLimitsSigned }: SignedFacts) =>
  [
    id,
    ...ranges.map(({ fact, source }) => `  range ${fact} (${source})`),
    ...factors.map(({ fact, source }) => `  factor ${fact} (${source})`),
    ...criticalLimits.map(
      ({ fact, source }) => `  critical ${fact} (${source}${signature && !criticalLimitsSigned ? '; not signed' : ''})`,
    ),
    signature
      ? `  signed by ${signature.director}, ${signature.laboratory}, ${signature.signedDate.slice(0, 10)}`
      : '  not signed',
  ].join('\n')
