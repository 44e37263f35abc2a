import { readFile } from 'node:fs/promises'
import { isPlainLine } from '@kitlane/display/text'
import type { Command } from 'commander'
import { z } from 'zod'
import { AppError, StartError } from '../domain/errors.ts'
import { kitId } from '../domain/id-fields.ts'
import { advanceKit } from '../modules/kits/advance.ts'
import { realmOfKit } from '../modules/kits/locate.ts'
import { parseStatus } from '../modules/kits/rules.ts'
import { type ReadRow, readKits } from '../modules/onboarding/takeover/read.ts'
import { takeOver } from '../modules/onboarding/takeover/take-over.ts'
import type { Database, Realm } from '../platform/database/tx.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, table } from './command.ts'
import { findRealm, ofBusiness, whose } from './realm.ts'
import { operator } from './session.ts'

const shown =
  'kitInTransit, kitDelivered, sampleInTransit, sampleReceived, sampleRejected, or an exception such as deliveryException'

const status = z.string().transform((given, context) => {
  const found = parseStatus(given)
  if (found) return found
  context.addIssue({ code: 'custom', message: `must be ${shown}` })
  return z.NEVER
})

/** What became of a row of the file. */
interface Outcome {
  line: number
  externalID: string
  /** `would be taken` of a dry run, whose IDs are given to nobody. */
  result: 'taken' | 'would be taken' | 'already here' | 'refused'
  status?: string
  orderID?: string
  kitID?: string
  problem?: string
}

/** Takes back what a dry run did. */
class DryRun extends Error {}

function addKitImport(group: Command): void {
  addAdministration(group, {
    name: 'import',
    summary:
      'Take over kits that another vendor sent, each at the stage where it stands. Nobody is told, and no credit is spent.',
    options: {
      ...whose,
      '--file <file>': 'a CSV with a line of names, or JSON Lines: docs/moving.md has the columns',
      '--dry-run': 'do each row and take it back: the table says what would happen',
    },
    input: z.object({ ...ofBusiness, file: z.string().min(1), dryRun: z.boolean().default(false) }),
    example: 'kitlane kit import --business "Acme Clinic" --file kits.csv --dry-run',
    async run(database, { business, mode, file, dryRun }) {
      const { rows, ignored } = readKits(await textOf(file))
      const { realm } = await findRealm(database, { business, mode })
      const outcomes: Outcome[] = []
      for (const row of rows) outcomes.push(await importRow(database, realm, row, dryRun))
      const count = (result: Outcome['result']) => outcomes.filter((one) => one.result === result).length
      const counts = {
        taken: count(dryRun ? 'would be taken' : 'taken'),
        alreadyHere: count('already here'),
        refused: count('refused'),
      }
      return {
        json: { dryRun, ...counts, ignored, rows: outcomes },
        text: `${table([['LINE', 'EXTERNAL ID', 'RESULT', 'KIT', ''], ...outcomes.map(inCells)])}\n${ignoredInWords(ignored)}${inWords(counts, dryRun)}`,
        failed: counts.refused > 0,
      }
    },
  })
}

/** One transaction for each row: a command that is killed loses and repeats nothing. */
async function importRow(database: Database, realm: Realm, read: ReadRow, dryRun: boolean): Promise<Outcome> {
  const { line, externalId: externalID } = read
  if ('problem' in read) return { line, externalID, result: 'refused', problem: read.problem }
  const { row } = read
  let result: Outcome | undefined
  try {
    await database.asSystem(operator, async (tx) => {
      const { status, orderId, kitId } = await takeOver(tx, realm, row)
      const ids = { orderID: orderId, ...(kitId && { kitID: kitId }) }
      if (status === 'already') result = { line, externalID, result: 'already here', ...ids }
      else if (dryRun) result = { line, externalID, result: 'would be taken', status: row.status }
      else result = { line, externalID, result: 'taken', status: row.status, ...ids }
      if (dryRun) throw new DryRun()
    })
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      return { line, externalID, result: 'refused', problem: error.message }
    if (!(error instanceof DryRun)) throw error
  }
  if (!result) throw new Error('a row had no outcome')
  return result
}

/** What a file holds may command the terminal. */
const printable = (text: string) => (isPlainLine(text) ? text : JSON.stringify(text).replaceAll(/[^ -~]/g, '?'))

const inCells = ({ line, externalID, result, status, kitID, problem }: Outcome): string[] => [
  String(line),
  printable(externalID),
  result,
  kitID ?? '',
  problem ?? status ?? '',
]

const ignoredInWords = (names: readonly string[]) =>
  names.length > 0 ? `Nothing reads these columns: ${names.map(printable).join(', ')}.\n` : ''

function inWords(
  { taken, alreadyHere, refused }: { taken: number; alreadyHere: number; refused: number },
  dryRun: boolean,
) {
  const counts = `${taken} ${dryRun ? 'would be taken' : 'taken'}, ${alreadyHere} already here, ${refused} refused.`
  const what = dryRun
    ? 'Nothing was changed. Taking them sends no e-mail and no webhook, and spends no credit.'
    : 'No e-mail and no webhook was sent, and no credit was spent. From its next step on each kit is announced as any other.'
  return `${counts} ${what}`
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause) => {
    throw new StartError(`The file ${file} cannot be read. Check its path.`, { cause })
  })
}

export function addKitCommands(root: Command): void {
  const group = addGroup(root, 'kit', 'Record what happens to live kits, and take over those of another vendor.')

  addAdministration(group, {
    name: 'advance',
    summary: 'Record a step of a live kit. Skipped steps are filled in.',
    options: {
      '--kit <id>': 'the ID on the box',
      '--status <status>': shown,
      '--reason <text>': 'the reason for a rejection or an exception',
    },
    input: z.object({ kit: kitId, status, reason: text(500).optional() }),
    example: 'kitlane kit advance --kit K4T9WQZ2M7 --status kitInTransit',
    async run(database, { kit, status, reason }) {
      const realm = await database.asSystem(operator, (tx) => realmOfKit(tx, kit))
      const record = await database.inRealm(realm, operator, (tx) => advanceKit(tx, kit, status, reason))
      return {
        json: record,
        text: `The kit ${kit} is now ${record.kitStatus}, its sample ${record.sampleStatus}, its report ${record.status}.`,
      }
    },
  })

  addKitImport(group)
}
