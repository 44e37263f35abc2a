import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommandLine } from './command-line.ts'
import type { TestBusiness } from './world.ts'

interface Row {
  externalID: string
  result: string
  kitID: string
  orderID: string
  status: string
  problem: string
}

interface Answer {
  taken: number
  alreadyHere: number
  refused: number
  ignored: string[]
  rows: Row[]
}

let files = 0

/** Runs `kitlane kit import` with a file of this text. `of` is the row whose ID ends so. */
export async function importKits(cli: CommandLine, clinic: TestBusiness, text: string, ...args: string[]) {
  const file = join(cli.folder, `kits-${files++}.csv`)
  await writeFile(file, text)
  const given = ['--business', clinic.id, '--file', file, '--json', ...args]
  const { stdout, stderr, code } = await cli.run('kit', 'import', ...given)
  if (!stdout) throw new Error(stderr)
  const answer = JSON.parse(stdout) as Answer
  return { code, ...answer, of: (kit: string) => answer.rows.find(({ externalID }) => externalID.endsWith(kit)) as Row }
}
